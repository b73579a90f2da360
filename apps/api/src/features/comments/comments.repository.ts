import { Prisma } from '../../generated/prisma/client.ts'
import type { Db } from '../../platform/database.ts'
import type { SafeHtml } from '../../platform/html.ts'

export type CommentKind = 'post' | 'thread'

/** Through whose eyes: what members of an app hide or show differs with who looks. */
export type Viewer = {
  appId: string
  /** The custom fields that everybody may see. */
  publicFields: readonly string[]
  /** Null for a visitor. */
  memberId: string | null
}

/** A member who writes or votes. */
export type Writer = Viewer & { memberId: string }

/** Who wrote something, without anything that is not public. */
export type AuthorRow = { member_id: string; profile_image: string | null; custom_fields: unknown }

export type ThreadRow = AuthorRow & {
  id: string
  internal_order: bigint
  created_at: Date
  content: string
  liked_by: number
}

export type PostRow = ThreadRow & { disliked_by: number; thread_count: number }

/** A page of a list: `after` is the place of the last item of the page before. */
export type Page = { after: bigint | null; order: 'newest' | 'oldest'; limit: number }

export type NewComment = { id: string; content: SafeHtml; createdAt: Date }

const tables = { post: Prisma.raw('comment_post'), thread: Prisma.raw('comment_thread') } as const
const voteTables = {
  post: Prisma.raw('comment_post_vote'),
  thread: Prisma.raw('comment_thread_vote'),
} as const
const voteKeys = { post: Prisma.raw('post_id'), thread: Prisma.raw('thread_id') } as const

/** The member who looks; a visitor is nobody, and nobody has an empty id. */
function me({ memberId }: Viewer): string {
  return memberId ?? ''
}

/** Whether what somebody wrote shows: not when an editor hides all of it, unless to themselves. */
function showsTo(viewer: Viewer, writer: Prisma.Sql): Prisma.Sql {
  return Prisma.sql`(${writer}.comments_hidden_at IS NULL OR ${writer}.id = ${me(viewer)})`
}

/** The members of whom this one sees nothing. */
function hiddenFrom(viewer: Viewer): Prisma.Sql {
  return Prisma.sql`
    SELECT hidden.id FROM member hidden
    WHERE hidden.comments_hidden_at IS NOT NULL AND hidden.id <> ${me(viewer)}`
}

function authorColumns({ publicFields }: Pick<Viewer, 'publicFields'>): Prisma.Sql {
  return Prisma.sql`
    author.id AS member_id, author.profile_image, (
      SELECT coalesce(jsonb_object_agg(field.key, field.value), '{}')
      FROM jsonb_each(author.custom_fields) field WHERE field.key = ANY(${publicFields}::text[])
    ) AS custom_fields`
}

function threadColumns(viewer: Viewer): Prisma.Sql {
  return Prisma.sql`thread.id, thread.internal_order, thread.created_at, thread.content, thread.liked_by,
    ${authorColumns(viewer)}`
}

// The stored count knows of hidden replies, and nothing of replies whose authors are hidden.
function postColumns(viewer: Viewer): Prisma.Sql {
  return Prisma.sql`post.id, post.internal_order, post.created_at, post.content, post.liked_by, post.disliked_by,
    CASE WHEN post.thread_count = 0 THEN 0 ELSE post.thread_count - (
      SELECT count(*)::int FROM comment_thread reply
      WHERE reply.post_id = post.id AND reply.hidden_at IS NULL AND reply.member_id IN (${hiddenFrom(viewer)})
    ) END AS thread_count,
    ${authorColumns(viewer)}`
}

/** From a post, its channel and its author on; what the viewer does not see is not there. */
function seenPosts(viewer: Viewer): Prisma.Sql {
  return Prisma.sql`
    JOIN comment_channel channel ON channel.id = post.channel_id AND channel.app_id = ${viewer.appId}
    JOIN member starter ON starter.id = post.member_id AND ${showsTo(viewer, Prisma.sql`starter`)}`
}

/** One comment that the viewer sees, as `seen`: its id, its author and, of a thread, its post. */
function seenComment(viewer: Viewer, kind: CommentKind, id: string): Prisma.Sql {
  return kind === 'post'
    ? Prisma.sql`
        SELECT post.id, post.member_id FROM comment_post post ${seenPosts(viewer)}
        WHERE post.id = ${id} AND post.hidden_at IS NULL`
    : Prisma.sql`
        SELECT thread.id, thread.member_id FROM comment_thread thread
        JOIN member writer ON writer.id = thread.member_id AND ${showsTo(viewer, Prisma.sql`writer`)}
        JOIN comment_post post ON post.id = thread.post_id AND post.hidden_at IS NULL ${seenPosts(viewer)}
        WHERE thread.id = ${id} AND thread.hidden_at IS NULL`
}

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

/**
 * Stores a post; null when its author is gone. The channel's row is locked until it is stored: whoever comes after has
 * a higher place and is seen later, so that no page is passed by.
 */
export async function createPost(
  db: Db,
  writer: Writer,
  channelId: string,
  { id, content, createdAt }: NewComment,
): Promise<PostRow | null> {
  const [row] = await db.$queryRaw<PostRow[]>`
    WITH writer AS (SELECT id FROM member WHERE id = ${writer.memberId} FOR KEY SHARE), place AS (
      SELECT channel.id, writer.id AS member_id FROM comment_channel channel, writer
      WHERE channel.id = ${channelId}::uuid FOR NO KEY UPDATE OF channel
    ), post AS (
      INSERT INTO comment_post (id, channel_id, member_id, content, created_at)
      SELECT ${id}, place.id, place.member_id, ${content}, ${createdAt} FROM place
      RETURNING *
    )
    SELECT ${postColumns(writer)} FROM post JOIN member author ON author.id = post.member_id`
  return row ?? null
}

/** Stores a thread under a post that its author sees; null when there is no such post. The post is locked likewise. */
export async function createThread(
  db: Db,
  writer: Writer,
  postId: string,
  { id, content, createdAt }: NewComment,
): Promise<ThreadRow | null> {
  const [row] = await db.$queryRaw<ThreadRow[]>`
    WITH writer AS (SELECT id FROM member WHERE id = ${writer.memberId} FOR KEY SHARE), place AS (
      SELECT post.id, writer.id AS member_id FROM writer CROSS JOIN comment_post post ${seenPosts(writer)}
      WHERE post.id = ${postId} AND post.hidden_at IS NULL FOR NO KEY UPDATE OF post
    ), thread AS (
      INSERT INTO comment_thread (id, post_id, member_id, content, created_at)
      SELECT ${id}, place.id, place.member_id, ${content}, ${createdAt} FROM place
      RETURNING *
    )
    SELECT ${threadColumns(writer)} FROM thread JOIN member author ON author.id = thread.member_id`
  return row ?? null
}

/** Changes a post of one's own; null when it is not there any more. */
export async function updatePost(
  db: Db,
  writer: Writer,
  id: string,
  change: { content: SafeHtml; editedAt: Date },
): Promise<PostRow | null> {
  const [row] = await db.$queryRaw<PostRow[]>`
    WITH post AS (${updated(writer, 'post', id, change)})
    SELECT ${postColumns(writer)} FROM post JOIN member author ON author.id = post.member_id`
  return row ?? null
}

/** Changes a thread of one's own; null when it is not there any more. */
export async function updateThread(
  db: Db,
  writer: Writer,
  id: string,
  change: { content: SafeHtml; editedAt: Date },
): Promise<ThreadRow | null> {
  const [row] = await db.$queryRaw<ThreadRow[]>`
    WITH thread AS (${updated(writer, 'thread', id, change)})
    SELECT ${threadColumns(writer)} FROM thread JOIN member author ON author.id = thread.member_id`
  return row ?? null
}

function updated(
  { memberId }: Writer,
  kind: CommentKind,
  id: string,
  { content, editedAt }: { content: SafeHtml; editedAt: Date },
): Prisma.Sql {
  return Prisma.sql`
    UPDATE ${tables[kind]} SET content = ${content}, edited_at = ${editedAt}
    WHERE id = ${id} AND member_id = ${memberId} AND hidden_at IS NULL RETURNING *`
}

/** Removes a post of one's own with its threads; answers whether it was there. */
export async function removePost(db: Db, { memberId }: Writer, id: string): Promise<boolean> {
  const { count } = await db.commentPost.deleteMany({ where: { id, memberId, hiddenAt: null } })
  return count > 0
}

/**
 * Removes a thread of one's own; answers whether it was there. Its post is locked first, as by whoever removes the
 * post: in another order the two would wait for each other.
 */
export async function removeThread(db: Db, { memberId }: Writer, id: string): Promise<boolean> {
  const count = await db.$executeRaw`
    WITH parent AS (
      SELECT post.id FROM comment_post post JOIN comment_thread thread ON thread.post_id = post.id
      WHERE thread.id = ${id} FOR NO KEY UPDATE OF post
    )
    DELETE FROM comment_thread
    WHERE id = ${id} AND member_id = ${memberId} AND hidden_at IS NULL AND post_id IN (SELECT id FROM parent)`
  return count > 0
}

/**
 * Sets a member's vote on a comment, or takes it back; answers whether the member sees such a comment. Repeating it
 * changes nothing. The comment is locked before the vote, as by whoever removes it.
 */
export async function setVote(
  db: Db,
  writer: Writer,
  kind: CommentKind,
  id: string,
  vote: 'UP' | 'DOWN' | 'NONE',
): Promise<boolean> {
  const [votes, key] = [voteTables[kind], voteKeys[kind]]
  const stored =
    vote === 'NONE'
      ? Prisma.sql`
          DELETE FROM ${votes} WHERE ${key} IN (SELECT id FROM target) AND member_id = ${writer.memberId}`
      : Prisma.sql`
          INSERT INTO ${votes} AS held (${key}, member_id, vote)
          SELECT target.id, target.voter_id, ${vote}::comment_vote FROM target
          ON CONFLICT (${key}, member_id) DO UPDATE SET vote = excluded.vote WHERE held.vote <> excluded.vote`
  const rows = await db.$queryRaw<{ id: string }[]>`
    WITH voter AS (SELECT id FROM member WHERE id = ${writer.memberId} FOR KEY SHARE), target AS (
      SELECT comment.id, voter.id AS voter_id FROM voter CROSS JOIN ${tables[kind]} comment
      WHERE comment.id IN (SELECT seen.id FROM (${seenComment(writer, kind, id)}) seen)
      FOR NO KEY UPDATE OF comment
    ), stored AS (${stored} RETURNING 1)
    SELECT target.id FROM target`
  return rows.length > 0
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
