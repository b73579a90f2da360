import { type Findings, type GuardDeps, settledName } from './findings.ts'
import { fileOf } from './folder-comparison.ts'
import * as rows from './guard.repository.ts'
import type { HoldReason } from './hold-reasons.ts'

const settleMs = 60_000

/** Creates what follows from a hold: all workers are held if the database went back, and the ledgers learn what was sent. */
export function createHold({ database, clock, logger }: GuardDeps, settle: () => Promise<number>) {
  let settledAt = { state: '', at: 0 }

  return async (reason: HoldReason, { found, state }: Findings): Promise<void> => {
    if (reason === 'held' || reason === 'no-mark' || reason === 'mark-unwritable') return
    if (reason === 'ledger-behind') await rows.suspend(database.db, reason)
    const { control } = await rows.readGuardState(database.sql, null, [])
    const now = clock.now().getTime()
    const name = settledName(control, state)
    if (name === settledAt.state && Math.abs(now - settledAt.at) < settleMs) return
    const settled = await settle()
    if (settled > 0) logger.warn({ settled }, 'restored deliveries already sent')
    settledAt = { state: name, at: now }
    const file = fileOf(found)
    if (file !== null && found.state === 'valid') await rows.noteSettled(database.db, file.id, name)
  }
}
