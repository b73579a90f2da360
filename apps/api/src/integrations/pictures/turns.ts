import { fail } from '#platform/errors.ts'
import type { PictureUse } from './picture-encoder.ts'

/** How many may wait for their turn, and for how long. */
export type TurnLimits = Readonly<Record<PictureUse, { waiting: number; waitMs: number }>>

/** Runs work when its turn comes; throws `service-busy` when that takes too long. */
export type Turns = <T>(use: PictureUse, work: () => Promise<T>) => Promise<T>

/** Runs editors' work one at a time, and members' one at a time while no editor's runs or waits. */
export function createTurns(limits: TurnLimits): Turns {
  const running = { editorial: false, profile: false }
  const waiting: Record<PictureUse, (() => void)[]> = { editorial: [], profile: [] }

  function startNext(): void {
    if (!running.editorial) waiting.editorial.shift()?.()
    if (!running.editorial && !running.profile) waiting.profile.shift()?.()
  }

  function waitForTurn(use: PictureUse): Promise<void> {
    const line = waiting[use]
    if (line.length >= limits[use].waiting) throw fail('service-busy')
    return new Promise((resolve, reject) => {
      const start = () => {
        clearTimeout(timer)
        running[use] = true
        resolve()
      }
      const timer = setTimeout(() => {
        line.splice(line.indexOf(start), 1)
        reject(fail('service-busy'))
      }, limits[use].waitMs)
      line.push(start)
      startNext()
    })
  }

  return async (use, work) => {
    await waitForTurn(use)
    try {
      return await work()
    } finally {
      running[use] = false
      startNext()
    }
  }
}
