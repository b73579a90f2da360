import { fail } from './errors.ts'

type Options = {
  /** The most items of one call. */
  largest?: number
  /** Items above this number are rejected with `service-busy`. */
  mostWaiting?: number
  /** The pause after a call. */
  rest?: () => Promise<void>
  /** Whether a failed call is repeated for each of its items. */
  isRepeatedSingly?: (error: unknown) => boolean
}

type Waiting<Item, Result> = {
  item: Item
  resolve: (result: Result) => void
  reject: (reason: unknown) => void
}

/**
 * Returns a function that calls `work` with all items that arrived during the previous call, so that one statement stores
 * what several requests need. `work` returns the results in the order of the items.
 */
export function batched<Item, Result>(
  work: (items: readonly Item[]) => Promise<readonly Result[]>,
  {
    largest = Number.POSITIVE_INFINITY,
    mostWaiting = Number.POSITIVE_INFINITY,
    rest,
    isRepeatedSingly = () => false,
  }: Options = {},
) {
  const waiting: Waiting<Item, Result>[] = []
  let isWorking = false

  async function run(): Promise<void> {
    isWorking = true
    while (waiting.length > 0) {
      await settle(waiting.splice(0, largest))
      await rest?.()
    }
    isWorking = false
  }

  async function settle(batch: readonly Waiting<Item, Result>[]): Promise<void> {
    try {
      const results = await work(batch.map(({ item }) => item))
      for (const [index, { resolve, reject }] of batch.entries()) {
        const result = results[index]
        if (result === undefined) reject(new Error('A batch returned too few results'))
        else resolve(result)
      }
    } catch (error) {
      if (batch.length > 1 && isRepeatedSingly(error)) for (const one of batch) await settle([one])
      else for (const { reject } of batch) reject(error)
    }
  }

  return async (item: Item): Promise<Result> => {
    if (waiting.length >= mostWaiting) throw fail('service-busy')
    return await new Promise((resolve, reject) => {
      waiting.push({ item, resolve, reject })
      if (!isWorking) void run()
    })
  }
}
