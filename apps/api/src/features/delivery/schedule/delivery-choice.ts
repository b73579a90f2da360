import type { MemoDelivery } from '@tidings/contracts/desk/memos'
import type { EditionRow } from '#features/editions/index.ts'
import type { Db } from '#platform/database.ts'
import { fail } from '../delivery.errors.ts'
import { type RunRow, updateRun } from '../ledger/runs.repository.ts'

/** Throws `delivery-not-plannable` unless the run is still to be sent as a whole. */
export function requirePlannable({ state }: RunRow): void {
  if (state !== 'planned') throw fail('delivery-not-plannable', state)
}

/** Stops a run that is to be sent or being sent. Returns whether it did. */
export async function stopOpen(tx: Db, run: RunRow | null): Promise<boolean> {
  if (run?.state !== 'planned' && run?.state !== 'sending') return false
  await updateRun(tx, run.id, { state: 'stopped' })
  return true
}

/** Returns the delivery of a memo that is added now. It is its edition's until sending begins. */
export function memoDeliveryOf({ status, deliver }: EditionRow, run: RunRow | null): MemoDelivery {
  if (run?.startedAt) return 'too-late'
  if (status === 'scheduled') return deliver === false ? 'none' : 'planned-with-edition'
  return status === 'published' && run !== null ? 'planned' : 'none'
}
