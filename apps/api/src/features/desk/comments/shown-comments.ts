import type { DeskComment } from '@tidings/contracts/desk/comments'
import { parseEditionKey } from '@tidings/contracts/edition-key'
import { listTitles } from '#features/articles/index.ts'
import { listOpenReports, type ModeratedComment, type OpenReport } from '#features/comments/index.ts'
import type { Db } from '#platform/database.ts'

/** Maps comments for the desk: with the titles of their articles and their open reports. */
export async function toDeskComments(
  db: Db,
  rows: readonly ModeratedComment[],
  siteAppId: string,
): Promise<DeskComment[]> {
  const places = rows.map((row) => placeOf(row, siteAppId))
  const articleIds = places.flatMap(({ articleId }) => articleId ?? [])
  const [titles, reports] = await Promise.all([
    articleIds.length === 0 ? new Map<string, string>() : listTitles(db, [...new Set(articleIds)]),
    listOpenReports(
      db,
      rows.map(({ id }) => id),
    ),
  ])
  return rows.map((row, index) => {
    const { articleId = null, edition = null } = places[index] ?? {}
    const title = articleId === null ? undefined : titles.get(articleId)
    const article = articleId === null || title === undefined ? null : { id: articleId, title }
    return toDeskComment(
      row,
      { article, edition },
      reports.filter(({ commentId }) => commentId === row.id),
    )
  })
}

/** Returns the article or the edition below which a comment stands: only the site's own channels name them. */
function placeOf({ app_id: appId, channel_key: key }: ModeratedComment, siteAppId: string) {
  const [kind, rest = ''] = key.split(/:(.*)/s)
  const isOwn = appId === siteAppId
  return {
    articleId:
      isOwn && kind === 'article' && /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/i.test(rest)
        ? rest.toLowerCase()
        : null,
    edition: isOwn && kind === 'edition' && parseEditionKey(rest) !== null ? rest : null,
  }
}

function toDeskComment(
  row: ModeratedComment,
  place: Pick<DeskComment, 'article' | 'edition'>,
  reports: readonly OpenReport[],
): DeskComment {
  return {
    id: row.id,
    kind: row.kind,
    appId: row.app_id,
    channelKey: row.channel_key,
    postId: row.post_id,
    memberId: row.member_id,
    author: { name: row.author_name, since: row.author_since.toISOString() },
    ...place,
    reports: reports.map(({ reason, createdAt }) => ({ reason, at: createdAt.toISOString() })),
    content: row.content,
    hidden: row.hidden_at !== null,
    authorHidden: row.author_hidden_at !== null,
    createdAt: row.created_at.toISOString(),
    editedAt: row.edited_at?.toISOString() ?? null,
  }
}
