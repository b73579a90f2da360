type Waiting<Item, Result> = {
  item: Item
  resolve: (result: Result) => void
  reject: (reason: unknown) => void
}

/**
 * Returns a function that calls `work` with all items that arrived during the previous call, so that one statement stores
 * what several messages need. `work` returns the results in the order of the items.
 */
export function batched<Item, Result>(work: (items: readonly Item[]) => Promise<readonly Result[]>) {
  const waiting: Waiting<Item, Result>[] = []
  let isWorking = false

  async function run(): Promise<void> {
    isWorking = true
    while (waiting.length > 0) await settle(waiting.splice(0))
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
      for (const { reject } of batch) reject(error)
    }
  }

  return async (item: Item): Promise<Result> =>
    await new Promise((resolve, reject) => {
      waiting.push({ item, resolve, reject })
      if (!isWorking) void run()
    })
}
