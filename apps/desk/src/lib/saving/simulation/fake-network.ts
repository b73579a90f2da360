import type { FakeClock } from './fake-clock.ts'
import type { Random } from './random.ts'

const longestDelayMs = 3_000
const timeoutMs = 20_000

export type FakeNetwork = ReturnType<typeof createFakeNetwork>

/** Creates a network that loses and delays, until it is healed. */
export function createFakeNetwork(clock: FakeClock, random: Random) {
  let isBad = true
  const delay = () => (isBad ? random.below(longestDelayMs) : 20)
  return {
    change(): void {
      isBad = !isBad
    },
    heal(): void {
      isBad = false
    },
    /** Sends a request, which the server may get late, after its sender gave up, or never. */
    send<Reply>(work: () => Reply, lost: Reply): Promise<Reply> {
      return new Promise((resolve) => {
        if (isBad && random.is(0.15)) {
          clock.after(delay(), () => resolve(lost))
          return
        }
        const isLate = isBad && random.is(0.1)
        if (isLate) clock.after(timeoutMs, () => resolve(lost))
        const arrives = delay() + (isLate ? timeoutMs + random.below(timeoutMs) : 0)
        clock.after(arrives, () => {
          const reply = work()
          const isLost = isBad && random.is(0.15)
          clock.after(delay(), () => resolve(isLost ? lost : reply))
        })
      })
    },
  }
}
