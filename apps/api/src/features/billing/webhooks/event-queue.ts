import { fail } from '#platform/errors.ts'

type Options = { maxWaiting: number; rest: () => Promise<void> }

/**
 * Runs one task at a time and rests after each, so that a storm does not slow down readers. Throws `service-busy` if too
 * many wait.
 */
export function createEventQueue({ maxWaiting, rest }: Options) {
  let last: Promise<unknown> = Promise.resolve()
  let count = 0
  return async (task: () => Promise<void>): Promise<void> => {
    if (count > maxWaiting) throw fail('service-busy')
    count += 1
    const done = last.then(task).finally(() => {
      count -= 1
    })
    last = done.catch(() => undefined).then(rest)
    await done
  }
}
