import { fail } from '#platform/errors.ts'
import type { PictureUse } from './picture-encoder.ts'

/** How many calls of each use may wait in its queue, and for how long. */
export type QueueLimits = Readonly<Record<PictureUse, { length: number; waitMs: number }>>

/** Runs one call at a time, editors' before members'. Throws `service-busy` for a full queue or a long wait. */
export function createConcurrencyLimit(limits: QueueLimits) {
  const running = { editorial: false, profile: false }
  const queues: Record<PictureUse, (() => void)[]> = { editorial: [], profile: [] }

  function startNext(): void {
    if (!running.editorial) queues.editorial.shift()?.()
    if (!running.editorial && !running.profile) queues.profile.shift()?.()
  }

  function waitInQueue(use: PictureUse): Promise<void> {
    const queue = queues[use]
    if (queue.length >= limits[use].length) throw fail('service-busy')
    return new Promise((resolve, reject) => {
      const start = () => {
        clearTimeout(timer)
        running[use] = true
        resolve()
      }
      const timer = setTimeout(() => {
        queue.splice(queue.indexOf(start), 1)
        reject(fail('service-busy'))
      }, limits[use].waitMs)
      queue.push(start)
      startNext()
    })
  }

  return async <T>(use: PictureUse, work: () => Promise<T>): Promise<T> => {
    await waitInQueue(use)
    try {
      return await work()
    } finally {
      running[use] = false
      startNext()
    }
  }
}
