import type { Child } from '../process/child.ts'

const timeoutMs = 60_000
const pauseMs = 50

/**
 * Resolves once the address answers 200. Rejects, with the child's last lines, when it ends first or takes longer than a
 * minute, and when the signal says so.
 */
export async function waitFor(url: string, child: Child, signal?: AbortSignal) {
  const deadline = Date.now() + timeoutMs
  let ending: string | undefined
  void child.exited.then((how) => {
    ending = how
  })
  for (;;) {
    signal?.throwIfAborted()
    const answer = await fetch(url, { signal: AbortSignal.timeout(5_000) }).catch(() => undefined)
    await answer?.body?.cancel()
    if (answer?.status === 200 && ending === undefined) return
    const status = answer ? `answers ${answer.status}` : 'does not answer'
    const trouble = ending
      ? `${ending} before it was ready`
      : Date.now() > deadline && `${status} at ${url} after a minute`
    if (trouble) throw new Error(`The ${child.name} ${trouble}. Its last lines:\n${await child.lastLines()}`)
    await new Promise((resolve) => setTimeout(resolve, pauseMs))
  }
}
