import { fail } from './errors.ts'

/** Returns a function that runs tasks one after another. It rejects with `service-busy` while `maxWaiting` wait. */
export function createSerialQueue({ maxWaiting = Number.POSITIVE_INFINITY } = {}) {
  let last: Promise<unknown> = Promise.resolve()
  let waiting = 0

  return async function enqueue<T>(task: () => Promise<T>): Promise<T> {
    if (waiting > maxWaiting) throw fail('service-busy')
    waiting += 1
    const result = last.then(task)
    last = result.catch(() => {})
    try {
      return await result
    } finally {
      waiting -= 1
    }
  }
}
