import '../styles/account.css'
import { Link } from '@tanstack/react-router'
import { Screen } from '../components/screen.tsx'

/** Stands in for a screen that is not built yet. */
export function ComingSoonScreen() {
  return (
    <Screen title="Coming soon" className="entrance">
      <h1>Coming soon</h1>
      <p className="coming-soon">This page isn't available yet. You can read the memos today.</p>
      <nav className="foot-links" aria-label="Elsewhere">
        <Link to="/home">View memos</Link>
      </nav>
    </Screen>
  )
}
