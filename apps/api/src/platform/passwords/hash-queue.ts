import type { Clock } from '../clock.ts'
import { fail } from '../errors.ts'
import { createFairQueue, type FairQueue } from './fair-queue.ts'

/** The requester of a hash. */
export type HashSource = {
  /** The names of its networks, from the widest to the narrowest. */
  networks: readonly string[]
  /** Whether it has logged in to the account before, or has just proved to own its address. */
  isKnown: boolean
}

type Options = { concurrency: number; maxLength: number; maxWaitMs: number; clock: Clock }

type Waiting = { start: () => void; reject: (error: Error) => void }

// How much the latest hash counts in the expected duration of the next one.
const latestShare = 0.2
// How many hashes of known sources may start before one of an unknown source that waits.
const knownInRow = 3

/**
 * Returns a queue that runs at most `concurrency` tasks at once. Known sources go first, three of four times; within
 * each kind, networks take turns. It rejects with `service-busy` a task that would wait longer than `maxWaitMs`, that
 * did, or, with `maxLength` waiting, the newest of the network that has the most (ADR 0063).
 */
export function createHashQueue({ concurrency, maxLength, maxWaitMs, clock }: Options) {
  const known = createFairQueue<Waiting>()
  const unknown = createFairQueue<Waiting>()
  let running = 0
  let expectedMs = 0
  let knownStarts = 0

  const now = () => clock.now().getTime()

  function takeNext(): Waiting | undefined {
    const isKnownFirst = knownStarts < knownInRow || unknown.size === 0
    const next = isKnownFirst && known.size > 0 ? known : unknown
    knownStarts = next === known ? knownStarts + 1 : 0
    return next.take()
  }

  function isTooLong({ networks, isKnown }: HashSource): boolean {
    const own = isKnown ? known : unknown
    const other = isKnown ? unknown : known
    const before = own.countBefore(networks)
    const betweens = isKnown ? Math.ceil(before / knownInRow) : knownInRow * (before + 1)
    const roundsBefore = Math.ceil((before + Math.min(other.size, betweens) + 1) / concurrency)
    return roundsBefore * expectedMs > maxWaitMs
  }

  /** Rejects the newest task of the network that has the most; returns false if that is the one to be added. */
  function makeRoom(own: FairQueue<Waiting>, { networks }: HashSource): boolean {
    const longest = known.largestSize() > unknown.largestSize() ? known : unknown
    const isOther = longest !== own && longest.largestSize() > own.sizeOf(networks) + 1
    const rejected = isOther ? longest.takeFromLargest() : own.takeFromLargest(networks)
    rejected?.reject(fail('service-busy'))
    return rejected !== undefined
  }

  async function waitForSlot(source: HashSource): Promise<void> {
    const own = source.isKnown ? known : unknown
    if (isTooLong(source)) throw fail('service-busy')
    if (known.size + unknown.size >= maxLength && !makeRoom(own, source)) throw fail('service-busy')
    const since = now()
    // A finished task hands its place to the next one, so `running` stays the same.
    await new Promise<void>((start, reject) => own.add(source.networks, { start, reject }))
    if (now() - since <= maxWaitMs) return
    release()
    throw fail('service-busy')
  }

  function release(): void {
    const next = takeNext()
    if (next) next.start()
    else running -= 1
  }

  return async function enqueue<T>(source: HashSource, task: () => Promise<T>): Promise<T> {
    if (running < concurrency) running += 1
    else await waitForSlot(source)
    const startedAt = now()
    try {
      return await task()
    } finally {
      expectedMs += latestShare * (now() - startedAt - expectedMs)
      release()
    }
  }
}
