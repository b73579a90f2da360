import type { Clock } from '../clock.ts'
import { fail } from '../errors.ts'

type Options = { atOnce: number; longest: number; patienceMs: number; clock: Clock }

/** Runs work when its turn comes. Rejects with `service-busy`, 503, when that is too far off. */
export type WaitingLine = <T>(work: () => Promise<T>) => Promise<T>

// How much the last piece of work counts in what a piece is expected to take.
const newestShare = 0.2

/**
 * Lets at most `atOnce` pieces of work run at a time and at most `longest` wait, first come first served. Nobody waits
 * longer than `patienceMs`: who would is refused at once, and who did is refused when its turn comes.
 */
export function createWaitingLine({ atOnce, longest, patienceMs, clock }: Options): WaitingLine {
  const waiting: (() => void)[] = []
  let running = 0
  let expectedMs = 0

  const now = () => clock.now().getTime()

  function isTooLong(): boolean {
    const roundsBefore = Math.ceil((waiting.length + 1) / atOnce)
    return waiting.length >= longest || roundsBefore * expectedMs > patienceMs
  }

  async function waitForTurn(): Promise<void> {
    if (isTooLong()) throw fail('service-busy')
    const since = now()
    // A turn that ends is handed on, so `running` counts it as taken all the while.
    await new Promise<void>((resolve) => waiting.push(resolve))
    if (now() - since <= patienceMs) return
    passOn()
    throw fail('service-busy')
  }

  function passOn(): void {
    const next = waiting.shift()
    if (next) next()
    else running -= 1
  }

  return async (work) => {
    if (running < atOnce) running += 1
    else await waitForTurn()
    const begun = now()
    try {
      return await work()
    } finally {
      expectedMs += newestShare * (now() - begun - expectedMs)
      passOn()
    }
  }
}
