export type LeaveGuard = ReturnType<typeof createLeaveGuard>

type Question = () => Promise<boolean>

/** Creates the guard that knows whether leaving the page would lose something. */
export function createLeaveGuard() {
  let question: Question | null = null
  let isLeaving = false
  return {
    /** Sets the screen's question; returns a function that removes it. */
    guard(ask: Question): () => void {
      question = ask
      return () => {
        if (question === ask) question = null
      }
    },
    /** Asks if there is something to lose. Resolves to whether the member leaves. */
    ask: (): Promise<boolean> => question?.() ?? Promise.resolve(true),
    /** Leaves the page without the browser's own question, whose "Cancel" the page wouldn't learn of. */
    leave(go: () => void): void {
      isLeaving = true
      // The member may come back to the page as it was.
      window.addEventListener('pageshow', () => (isLeaving = false), { once: true })
      go()
    },
    isLeaving: () => isLeaving,
  }
}
