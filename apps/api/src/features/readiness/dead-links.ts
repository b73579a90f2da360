import type { Db } from '#platform/database.ts'
import { toCheckedLink } from './checked-link.ts'
import { type LinkCheckRow, linkIdOf, listLinks } from './link-checks.repository.ts'
import { linksOf } from './links-of-memo.ts'

/** A link of a memo that readers can't open. */
type DeadLink = {
  date: Date
  slot: string
  memo: string
  title: string
  url: string
  state: 'fails' | 'silent' | 'refused'
  status: number | null
  checkedAt: string
}

/** Lists the links in editions of these days that led nowhere when they were last asked. None is asked now. */
export async function listDeadLinks(
  db: Db,
  { first, last }: { first: Date; last: Date },
): Promise<DeadLink[]> {
  const memos = await db.memo.findMany({
    where: { edition: { date: { gte: first, lte: last } } },
    orderBy: [{ edition: { publishAt: 'asc' } }, { position: 'asc' }],
    select: {
      id: true,
      title: true,
      content: true,
      mediaText: true,
      source: true,
      edition: { select: { date: true, slot: true } },
    },
  })
  const links = memos.flatMap((memo) => linksOf(memo).map((url) => ({ memo, url })))
  const rows = await listLinks(db, [...new Set(links.map(({ url }) => linkIdOf(url)))])
  const byUrl = new Map(rows.map((row) => [row.url, row]))
  return links.flatMap(({ memo: { id, title, edition }, url }) => {
    const dead = deadState(url, byUrl.get(url))
    return dead === null ? [] : [{ ...edition, memo: id, title, url, ...dead }]
  })
}

function deadState(
  url: string,
  row: LinkCheckRow | undefined,
): Pick<DeadLink, 'state' | 'status' | 'checkedAt'> | null {
  if (row?.checkedAt == null) return null
  const { state, status } = toCheckedLink(url, row, row.checkedAt)
  if (state === 'checking' || state === 'answers') return null
  return { state, status, checkedAt: row.checkedAt.toISOString() }
}
