import { LoadingShape } from '../components/loading-shape.tsx'
import { mainId } from '../components/screen.tsx'

/** What stands while a screen's code or the gate's answer is awaited. */
export function PendingScreen() {
  return (
    <main id={mainId} tabIndex={-1}>
      <LoadingShape />
    </main>
  )
}
