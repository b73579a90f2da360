import { after } from './timer.ts'

// A hidden tab has no frames.
const longestMs = 100

/** Runs it once the next frame is on the screen, or soon where no frame comes. Returns what cancels it. */
export function afterFrame(run: () => void): () => void {
  let cancelTimer = after(longestMs, end)
  const frame = requestAnimationFrame(() => {
    cancelTimer()
    cancelTimer = after(0, run)
  })
  function end() {
    cancelAnimationFrame(frame)
    run()
  }
  return () => {
    cancelAnimationFrame(frame)
    cancelTimer()
  }
}
