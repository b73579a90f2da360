/** Runs work when its turn comes. */
export type Turns = <T>(work: () => Promise<T>) => Promise<T>

/** Lets at most `atOnce` pieces of work run at a time; the others wait, first come first served. */
export function createTurns(atOnce: number): Turns {
  let running = 0
  const waiting: (() => void)[] = []

  return async (work) => {
    // A turn that ends is handed on, so `running` counts it as taken all the while.
    if (running < atOnce) running += 1
    else await new Promise<void>((resolve) => waiting.push(resolve))
    try {
      return await work()
    } finally {
      const next = waiting.shift()
      if (next) next()
      else running -= 1
    }
  }
}
