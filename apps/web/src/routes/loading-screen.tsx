import { LoadingSkeleton } from '../components/loading-skeleton.tsx'
import { mainId } from '../components/screen.tsx'

/** Shown while a screen's code or the gate's status loads. */
export function LoadingScreen() {
  return (
    <main id={mainId} tabIndex={-1}>
      <LoadingSkeleton />
    </main>
  )
}
