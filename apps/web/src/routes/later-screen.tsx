import { Link } from '@tanstack/react-router'
import { Screen } from '../components/screen.tsx'

/** Says that a part of the site is still to come, and leads back. */
export function LaterScreen() {
  return (
    <Screen title="Opening soon" className="entrance">
      <h1>Opening soon</h1>
      <p className="later-sentence">This part of the site opens soon. The memos are here already.</p>
      <nav className="foot-links" aria-label="Elsewhere">
        <Link to="/home">View memos</Link>
      </nav>
    </Screen>
  )
}
