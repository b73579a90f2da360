import type { Child } from '../process/child.ts'

const timeoutMs = 60_000
const retryMs = 50

/**
 * Waits until the address responds with 200. Rejects with the child's last lines when the child ends or a minute has
 * passed, and when the signal aborts.
 */
export async function waitFor(url: string, child: Child, signal?: AbortSignal) {
  const deadline = Date.now() + timeoutMs
  let exit: string | undefined
  void child.exited.then((how) => {
    exit = how
  })
  for (;;) {
    signal?.throwIfAborted()
    const response = await fetch(url, { signal: AbortSignal.timeout(5_000) }).catch(() => undefined)
    await response?.body?.cancel()
    if (response?.status === 200 && exit === undefined) return
    const status = response ? `responded with ${response.status}` : 'did not respond'
    const problem = exit
      ? `${exit} before it was ready`
      : Date.now() > deadline && `${status} at ${url} after a minute`
    if (problem) throw new Error(`The ${child.name} ${problem}. Its last lines:\n${await child.lastLines()}`)
    await new Promise((resolve) => setTimeout(resolve, retryMs))
  }
}
