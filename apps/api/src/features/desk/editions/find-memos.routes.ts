import { formatPlace, parsePlace } from '@tidings/contracts/desk/find'
import { type FoundMemo, findMemos as findMemosEndpoint } from '@tidings/contracts/desk/memos'
import { isWithdrawn } from '#features/editions/index.ts'
import { findMemos, toExcerpt } from '#features/memos/index.ts'
import type { App } from '#http/app-type.ts'
import type { Database } from '#platform/database.ts'
import { pageReply } from '../desk-reply.ts'
import { registerDesk } from '../requests/register-desk.ts'
import { type MemoState, readMemoStates, toWorkingCopy } from '../writing/memo-state.ts'

/** Registers the search of the memos of all editions. */
export function registerMemoSearch(app: App, database: Database): void {
  registerDesk(app, findMemosEndpoint, async ({ query: { limit, after, ...filter } }) => {
    const page = { limit: limit + 1, before: parsePlace(after) }
    const places = await findMemos(database.db, page, filter)
    const states = await readMemoStates(
      database.db,
      places.slice(0, limit).map(({ id }) => id),
    )
    const reply = pageReply(places, limit, { map: (place) => place, next: formatPlace })
    return { ...reply, body: { ...reply.body, data: states.map((state) => toFoundMemo(state, filter.q)) } }
  })
}

/** Maps a memo, as people write it, for a list. */
function toFoundMemo(state: MemoState, typed: string | undefined): FoundMemo {
  const { memo, copy, edition } = state
  const { place: _, memo_content: html, media_text: __, savedAt, ...shared } = toWorkingCopy(state, [])
  return {
    ...shared,
    position: memo?.position ?? copy?.place ?? 1,
    note: memo?.note ?? '',
    notedAt: memo?.notedAt?.toISOString() ?? null,
    counter: memo?.likeCount ?? 0,
    // A change of a memo by PATCH is based on its own version.
    version: memo?.version ?? shared.version,
    createdAt: (memo ?? copy ?? edition).createdAt.toISOString(),
    updatedAt: savedAt,
    editionStatus: edition.status,
    ...(isWithdrawn(edition) && { editionWithdrawn: true }),
    excerpt: toExcerpt(html, typed),
  }
}
