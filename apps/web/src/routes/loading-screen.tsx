import { Link } from '@tanstack/react-router'
import { LoadingSkeleton } from '../components/loading-skeleton.tsx'
import { mainId } from '../components/screen.tsx'

/** Shown while a screen's code or the gate's status loads. An app without a browser's buttons needs a way back. */
export function LoadingScreen() {
  return (
    <main id={mainId} tabIndex={-1}>
      <LoadingSkeleton />
      <nav className="foot-links" aria-label="Elsewhere">
        <Link to="/home">View memos</Link>
      </nav>
    </main>
  )
}
