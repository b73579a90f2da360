import { listOrders, type OrderChange, type PlacedMemo } from '@tidings/contracts/desk/writing/orders'
import { z } from 'zod'
import { findEdition, getEditionId, keyOf } from '#features/editions/index.ts'
import type { App } from '#http/app-type.ts'
import type { Database, Db } from '#platform/database.ts'
import { type AuditRow, editorName, listAuditRows, orderAction } from '../changes/changes.repository.ts'
import { fail } from '../desk.errors.ts'
import { pageReply } from '../desk-reply.ts'
import { registerDesk } from '../requests/register-desk.ts'
import { findDeletedTitles } from '../writing/deleted-memos.repository.ts'
import { readMemoStates } from '../writing/memo-state.ts'

const orders = z.object({ from: z.array(z.string()), to: z.array(z.string()) })

/** Registers the earlier orders of an edition, which the audit log has. */
export function registerEditionOrders(app: App, { db }: Database): void {
  registerDesk(app, listOrders, async ({ params, query: { limit, after } }) => {
    const key = keyOf(getEditionId(params.key))
    const edition = await findEdition(db, getEditionId(params.key))
    if (edition === null) throw fail('edition-not-found', key)
    const page = { limit: limit + 1, before: after }
    const rows = await listAuditRows(db, page, { subjects: [key], action: orderAction })
    const changes = rows.map((row) => ({ row, ...orders.parse(row.details) }))
    const ids = new Set(changes.flatMap(({ from, to }) => [...from, ...to]))
    const placed = await listPlaced(db, edition.id, [...ids])
    return pageReply(changes, limit, {
      map: ({ row, from, to }) => toOrderChange(row, from.map(placed), to.map(placed)),
      next: ({ row }) => row.id,
    })
  })
}

/** Returns what tells the memo of an id: also one that is in another edition now, or was deleted. */
async function listPlaced(
  db: Db,
  editionId: string,
  ids: readonly string[],
): Promise<(id: string) => PlacedMemo> {
  const deleted = await findDeletedTitles(db, ids)
  const states = await readMemoStates(db, ids)
  const known = new Map(
    states.map(({ id, text: { title }, edition }) => [id, { id, title, isHere: edition.id === editionId }]),
  )
  return (id) => known.get(id) ?? { id, title: deleted.get(id) ?? null, isHere: false }
}

function toOrderChange(row: AuditRow, before: PlacedMemo[], memos: PlacedMemo[]): OrderChange {
  const { id, at, personId } = row
  return { id, at: at.toISOString(), editor: editorName(row), personId, before, memos }
}
