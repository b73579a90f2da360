import { Prisma } from '#generated/prisma/client.ts'
import type { Db } from '#platform/database.ts'
import {
  type AuthorRow,
  authorColumns,
  type CommentKind,
  hiddenFrom,
  type PostRow,
  postColumns,
  seenComment,
  showsTo,
  type ThreadRow,
  threadColumns,
  type Viewer,
} from './comment-sight.repository.ts'

/** A page of a list: `after` is the place of the last item of the page before. */
export type Page = { after: bigint | null; order: 'newest' | 'oldest'; limit: number }

// NOTE: a page is read laterally from its channel or post. Told which one, the planner may walk the newest of all
// channels in search of an old one's.
function pageOf(place: Prisma.Sql, { after, order, limit }: Page): Prisma.Sql {
  const newest = order === 'newest'
  const beyond = newest ? Prisma.sql`${place} < ${after}` : Prisma.sql`${place} > ${after}`
  return Prisma.sql`${after === null ? Prisma.empty : Prisma.sql`AND ${beyond}`}
    ORDER BY ${place} ${newest ? Prisma.sql`DESC` : Prisma.sql`ASC`} LIMIT ${limit}`
}

function inOrder({ order }: Page): Prisma.Sql {
  return order === 'newest'
    ? Prisma.sql`ORDER BY item.internal_order DESC`
    : Prisma.sql`ORDER BY item.internal_order`
}

/** A page of the posts of a channel that the viewer sees. */
export async function listPosts(db: Db, viewer: Viewer, channelId: string, page: Page): Promise<PostRow[]> {
  return await db.$queryRaw<PostRow[]>`
    SELECT item.* FROM comment_channel channel CROSS JOIN LATERAL (
      SELECT ${postColumns(viewer)}
      FROM comment_post post JOIN member author ON author.id = post.member_id
      WHERE post.channel_id = channel.id AND post.hidden_at IS NULL
        AND ${showsTo(viewer, Prisma.sql`author`)} ${pageOf(Prisma.sql`post.internal_order`, page)}
    ) item WHERE channel.id = ${channelId}::uuid ${inOrder(page)}`
}

/** How many posts of a channel the viewer sees. */
export async function countPosts(db: Db, viewer: Viewer, channelId: string): Promise<number> {
  const [row] = await db.$queryRaw<{ count: number }[]>`
    SELECT count(*)::int AS count FROM comment_post post
    WHERE post.channel_id = ${channelId}::uuid AND post.hidden_at IS NULL
      AND NOT EXISTS (${hiddenFrom(viewer)} AND hidden.id = post.member_id)`
  return row?.count ?? 0
}

/** A page of the threads of a post that the viewer sees. */
export async function listThreads(db: Db, viewer: Viewer, postId: string, page: Page): Promise<ThreadRow[]> {
  return await db.$queryRaw<ThreadRow[]>`
    SELECT item.* FROM comment_post post CROSS JOIN LATERAL (
      SELECT ${threadColumns(viewer)}
      FROM comment_thread thread JOIN member author ON author.id = thread.member_id
      WHERE thread.post_id = post.id AND thread.hidden_at IS NULL
        AND ${showsTo(viewer, Prisma.sql`author`)} ${pageOf(Prisma.sql`thread.internal_order`, page)}
    ) item WHERE post.id = ${postId} ${inOrder(page)}`
}

/** Who wrote a comment that the viewer sees; null when there is none. */
export async function findAuthor(
  db: Db,
  viewer: Viewer,
  kind: CommentKind,
  id: string,
): Promise<string | null> {
  const [row] = await db.$queryRaw<{ member_id: string }[]>`${seenComment(viewer, kind, id)}`
  return row?.member_id ?? null
}

/** A member as everybody sees them; null when they are gone, or when an editor hides what they write. */
export async function findPublicAuthor(
  db: Db,
  viewer: Pick<Viewer, 'appId' | 'publicFields'>,
  memberId: string,
): Promise<AuthorRow | null> {
  const [row] = await db.$queryRaw<AuthorRow[]>`
    SELECT ${authorColumns(viewer)} FROM member author
    WHERE author.id = ${memberId} AND author.app_id = ${viewer.appId} AND author.comments_hidden_at IS NULL`
  return row ?? null
}
