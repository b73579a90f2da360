import { fail } from '#platform/errors.ts'
import type { PictureUse } from './picture-encoder.ts'

/** How many bytes of uploads may wait on disk in the queue of each use, and for how long. */
export type QueueLimits = Readonly<Record<PictureUse, { bytes: number; waitMs: number }>>

/**
 * Runs one call at a time, since one can need a gigabyte, and editors' before members'. Throws `service-busy` for a full
 * queue or a long wait.
 */
export function createConcurrencyLimit(limits: QueueLimits) {
  let isRunning = false
  const queues: Record<PictureUse, (() => void)[]> = { editorial: [], profile: [] }
  const waiting = { editorial: 0, profile: 0 }

  function startNext(): void {
    if (isRunning) return
    const start = queues.editorial.shift() ?? queues.profile.shift()
    start?.()
  }

  function waitInQueue(use: PictureUse, bytes: number): Promise<void> {
    const queue = queues[use]
    if (waiting[use] + bytes > limits[use].bytes) throw fail('service-busy')
    waiting[use] += bytes
    return new Promise((resolve, reject) => {
      const start = () => {
        clearTimeout(timer)
        waiting[use] -= bytes
        isRunning = true
        resolve()
      }
      const timer = setTimeout(() => {
        queue.splice(queue.indexOf(start), 1)
        waiting[use] -= bytes
        reject(fail('service-busy'))
      }, limits[use].waitMs)
      queue.push(start)
      startNext()
    })
  }

  return async <T>(use: PictureUse, bytes: number, work: () => Promise<T>): Promise<T> => {
    await waitInQueue(use, bytes)
    try {
      return await work()
    } finally {
      isRunning = false
      startNext()
    }
  }
}
