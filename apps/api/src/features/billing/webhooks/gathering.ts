import { setTimeout as pause } from 'node:timers/promises'

/** Hands over what comes one by one as batches. */
export type Gathering<Item> = {
  /** Resolves once the item's batch was taken; rejects when the batch was not. */
  add(item: Item): Promise<void>
}

type Waiting<Item> = { item: Item; settled: PromiseWithResolvers<void> }

/**
 * Gathers items while the batch before them is under way and for `pauseMs` after it. `take` gets at most `most` of them,
 * in the order in which they came, and is never called while it still runs.
 */
export function createGathering<Item>(
  take: (items: Item[]) => Promise<void>,
  { pauseMs, most }: { pauseMs: number; most: number },
): Gathering<Item> {
  const waiting: Waiting<Item>[] = []
  let isTaking = false

  async function takeAll(): Promise<void> {
    isTaking = true
    while (waiting.length > 0) {
      await takeBatch(waiting.splice(0, most))
      await pause(pauseMs)
    }
    isTaking = false
  }

  async function takeBatch(batch: readonly Waiting<Item>[]): Promise<void> {
    try {
      await take(batch.map(({ item }) => item))
      for (const { settled } of batch) settled.resolve()
    } catch (error) {
      for (const { settled } of batch) settled.reject(error)
    }
  }

  return {
    add(item) {
      const settled = Promise.withResolvers<void>()
      waiting.push({ item, settled })
      if (!isTaking) void takeAll()
      return settled.promise
    },
  }
}
