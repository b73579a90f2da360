import type { Clock } from '../clock.ts'
import { fail } from '../errors.ts'

type Options = { concurrency: number; maxLength: number; maxWaitMs: number; clock: Clock }

// How much the latest hash counts in the expected duration of the next one.
const latestShare = 0.2

/**
 * Returns a queue that runs at most `concurrency` tasks at once, first come first served. It rejects with `service-busy`
 * a task that finds `maxLength` others waiting, that would wait longer than `maxWaitMs`, or that did.
 */
export function createHashQueue({ concurrency, maxLength, maxWaitMs, clock }: Options) {
  const waiting: (() => void)[] = []
  let running = 0
  let expectedMs = 0

  const now = () => clock.now().getTime()

  function isTooLong(): boolean {
    const roundsBefore = Math.ceil((waiting.length + 1) / concurrency)
    return waiting.length >= maxLength || roundsBefore * expectedMs > maxWaitMs
  }

  async function waitForSlot(): Promise<void> {
    if (isTooLong()) throw fail('service-busy')
    const since = now()
    // A finished task hands its place to the next one, so `running` stays the same.
    await new Promise<void>((resolve) => waiting.push(resolve))
    if (now() - since <= maxWaitMs) return
    release()
    throw fail('service-busy')
  }

  function release(): void {
    const next = waiting.shift()
    if (next) next()
    else running -= 1
  }

  return async function enqueue<T>(task: () => Promise<T>): Promise<T> {
    if (running < concurrency) running += 1
    else await waitForSlot()
    const startedAt = now()
    try {
      return await task()
    } finally {
      expectedMs += latestShare * (now() - startedAt - expectedMs)
      release()
    }
  }
}
