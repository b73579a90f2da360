import { findMemos as findMemosEndpoint } from '@tidings/contracts/desk/memos'
import { findMemos, toFoundMemo } from '#features/memos/index.ts'
import type { App } from '#http/app-type.ts'
import type { Database } from '#platform/database.ts'
import { pageReply } from '../desk-reply.ts'
import { registerDesk } from '../requests/register-desk.ts'

const dayCharacters = 10

/** Registers the search of the memos of all editions. */
export function registerMemoSearch(app: App, database: Database): void {
  registerDesk(app, findMemosEndpoint, async ({ query: { limit, after, ...filter } }) => {
    const before =
      after === undefined ? null : { day: after.slice(0, dayCharacters), id: after.slice(dayCharacters + 1) }
    const rows = await findMemos(database.db, { limit: limit + 1, before }, filter)
    return pageReply(rows, limit, {
      map: (row) => toFoundMemo(row, filter.q),
      next: ({ edition, id }) => `${edition.date.toISOString().slice(0, dayCharacters)}_${id}`,
    })
  })
}
