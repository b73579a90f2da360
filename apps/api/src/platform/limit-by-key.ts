/** Returns a function that runs at most this many tasks of each key at once. The others wait in order. */
export function createLimitByKey(most: number) {
  const keys = new Map<string, { running: number; waiting: (() => void)[] }>()

  return async function run<T>(key: string, task: () => Promise<T>): Promise<T> {
    const own = keys.get(key) ?? { running: 0, waiting: [] }
    keys.set(key, own)
    if (own.running < most) own.running += 1
    else await new Promise<void>((resolve) => own.waiting.push(resolve))
    try {
      return await task()
    } finally {
      const next = own.waiting.shift()
      // The place passes to the next task.
      if (next !== undefined) next()
      else own.running -= 1
      if (own.running === 0) keys.delete(key)
    }
  }
}
