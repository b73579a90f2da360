import { z } from 'zod'
import { Prisma } from '#generated/prisma/client.ts'
import type { Db } from '#platform/database.ts'
import { countRowSchema, idRowSchema, queryRows } from '#platform/query-rows.ts'
import { matchesWords } from '#platform/text/matches-words.ts'
import { type CommentKind, tables } from './visible-comments.repository.ts'

const kinds = ['post', 'thread'] as const

const moderatedCommentSchema = z.object({
  kind: z.enum(kinds),
  id: z.string(),
  app_id: z.string(),
  channel_key: z.string(),
  post_id: z.string().nullable(),
  member_id: z.string(),
  /** The author's name; null without one. */
  author_name: z.string().nullable(),
  author_since: z.date(),
  content: z.string(),
  hidden_at: z.date().nullable(),
  author_hidden_at: z.date().nullable(),
  created_at: z.date(),
  edited_at: z.date().nullable(),
  internal_order: z.bigint(),
})

/** A comment as editors see it. */
export type ModeratedComment = z.infer<typeof moderatedCommentSchema>

export type ModerationFilter = {
  channelKey: string | null
  memberId: string | null
  /** Whether the comment or its author is hidden; null for both. */
  hidden: boolean | null
  /** Only those written since, and before. */
  since: Date | null
  until: Date | null
  /** Words of the comment or of its author's name. */
  q: string | null
}

function selectModerated(kind: CommentKind): Prisma.Sql {
  const joinChannel =
    kind === 'post'
      ? Prisma.sql`JOIN comment_channel channel ON channel.id = comment.channel_id`
      : Prisma.sql`
          JOIN comment_post post ON post.id = comment.post_id
          JOIN comment_channel channel ON channel.id = post.channel_id`
  return Prisma.sql`
    SELECT ${kind}::text AS kind, comment.id, channel.app_id, channel.key AS channel_key,
      ${kind === 'post' ? Prisma.sql`NULL` : Prisma.sql`comment.post_id`} AS post_id,
      comment.member_id, nullif(btrim(author.custom_fields->>'name'), '') AS author_name,
      author.created_at AS author_since, comment.content, comment.hidden_at,
      author.comments_hidden_at AS author_hidden_at, comment.created_at, comment.edited_at, comment.internal_order
    FROM ${tables[kind].comments} comment ${joinChannel}
    JOIN member author ON author.id = comment.member_id`
}

// An array, so that the index of authors finds their comments.
const isHidden = Prisma.sql`
  (comment.hidden_at IS NOT NULL OR comment.member_id = ANY(ARRAY(
    SELECT hidden.id FROM member hidden WHERE hidden.comments_hidden_at IS NOT NULL
  )))`

/** The condition of comments that have words, themselves or in their authors' names. */
function hasWords(q: string): Prisma.Sql {
  const name = Prisma.sql`desk_folded(named.custom_fields->>'name')`
  return Prisma.sql`
    ((${matchesWords(Prisma.sql`desk_text('', comment.content, '')`, q)}) OR comment.member_id = ANY(ARRAY(
      SELECT named.id FROM member named WHERE ${matchesWords(name, q)}
    )))`
}

function conditionsOf({ channelKey, memberId, hidden, since, until, q }: ModerationFilter): Prisma.Sql {
  const conditions = [
    Prisma.sql`true`,
    ...(channelKey === null ? [] : [Prisma.sql`channel.key = ${channelKey}`]),
    ...(memberId === null ? [] : [Prisma.sql`comment.member_id = ${memberId}`]),
    ...(hidden === null ? [] : [hidden ? isHidden : Prisma.sql`NOT ${isHidden}`]),
    ...(since === null ? [] : [Prisma.sql`comment.created_at >= ${since}`]),
    ...(until === null ? [] : [Prisma.sql`comment.created_at < ${until}`]),
    ...(q === null ? [] : [hasWords(q)]),
  ]
  return Prisma.join(conditions, ' AND ')
}

/** Returns comments of one kind, newest first, before a place. */
export async function listForModeration(
  db: Db,
  kind: CommentKind,
  filter: ModerationFilter,
  page: { before: bigint; limit: number },
): Promise<ModeratedComment[]> {
  return await queryRows(db, moderatedCommentSchema)`
    ${selectModerated(kind)} WHERE comment.internal_order < ${page.before} AND ${conditionsOf(filter)}
    ORDER BY comment.internal_order DESC LIMIT ${page.limit}`
}

/** Counts the comments of both kinds that are hidden, or visible and written since an instant. */
export async function countForModeration(db: Db, only: { hidden: true } | { since: Date }): Promise<number> {
  const condition =
    'hidden' in only ? isHidden : Prisma.sql`comment.created_at >= ${only.since} AND NOT ${isHidden}`
  const [row] = await queryRows(db, countRowSchema)`
    SELECT (SELECT count(*) FROM comment_post comment WHERE ${condition})::int
      + (SELECT count(*) FROM comment_thread comment WHERE ${condition})::int AS count`
  return row?.count ?? 0
}

/** Returns comments by their ids, in no order. */
export async function findForModeration(db: Db, ids: readonly string[]): Promise<ModeratedComment[]> {
  const found = await Promise.all(
    kinds.map(
      (kind) => queryRows(db, moderatedCommentSchema)`
        ${selectModerated(kind)} WHERE comment.id = ANY(${[...ids]}::text[])`,
    ),
  )
  return found.flat()
}

/**
 * Returns what stands around a comment, in reading order and with the comment itself: around a thread its post and the
 * threads beside it, around a post the posts beside it and its first threads.
 */
export async function listAround(db: Db, { id, kind, ...comment }: ModeratedComment, each: number) {
  const side = (of: CommentKind, parent: Prisma.Sql, from: bigint, direction: 'before' | 'after') => {
    const [compare, order] =
      direction === 'before' ? [Prisma.sql`<`, Prisma.sql`DESC`] : [Prisma.sql`>`, Prisma.sql`ASC`]
    return queryRows(db, moderatedCommentSchema)`
      ${selectModerated(of)}
      WHERE comment.${tables[of].parentKey} = ${parent} AND comment.internal_order ${compare} ${from}
      ORDER BY comment.internal_order ${order} LIMIT ${each}`
  }
  const place = comment.internal_order
  const own = { id, kind, ...comment }
  if (kind === 'thread') {
    const parent = Prisma.sql`${comment.post_id}`
    const post = await findForModeration(db, [comment.post_id ?? ''])
    const before = await side('thread', parent, place, 'before')
    return [...post, ...before.reverse(), own, ...(await side('thread', parent, place, 'after'))]
  }
  const channel = Prisma.sql`(SELECT stands.channel_id FROM comment_post stands WHERE stands.id = ${id})`
  const before = await side('post', channel, place, 'before')
  const replies = await side('thread', Prisma.sql`${id}`, 0n, 'after')
  return [...before.reverse(), own, ...replies, ...(await side('post', channel, place, 'after'))]
}

/**
 * Locks posts and threads, and returns those that exist. Locks the posts of threads before the threads, as post deletion
 * does, and all by id, so that two editors never wait for each other.
 */
export async function lockComments(tx: Db, ids: readonly string[]): Promise<ModeratedComment[]> {
  const wanted = [...ids]
  await queryRows(tx, idRowSchema)`
    SELECT post.id FROM comment_post post
    WHERE post.id = ANY(${wanted}::text[])
      OR post.id IN (SELECT thread.post_id FROM comment_thread thread WHERE thread.id = ANY(${wanted}::text[]))
    ORDER BY post.id FOR NO KEY UPDATE OF post`
  const locked: ModeratedComment[] = []
  for (const kind of kinds) {
    const rows = await queryRows(tx, moderatedCommentSchema)`
      ${selectModerated(kind)} WHERE comment.id = ANY(${wanted}::text[])
      ORDER BY comment.id FOR NO KEY UPDATE OF comment`
    locked.push(...rows)
  }
  return locked
}

/** Hides comments from all readers, or shows them again. */
export async function setHidden(
  tx: Db,
  comments: readonly Pick<ModeratedComment, 'id' | 'kind'>[],
  hiddenAt: Date | null,
): Promise<void> {
  const idsOf = (kind: CommentKind) => comments.filter((each) => each.kind === kind).map(({ id }) => id)
  await tx.commentPost.updateMany({ where: { id: { in: idsOf('post') } }, data: { hiddenAt } })
  await tx.commentThread.updateMany({ where: { id: { in: idsOf('thread') } }, data: { hiddenAt } })
}

const authorRowSchema = z.object({ hiddenAt: z.date().nullable() })

/** Locks a member and returns when an editor hid them; null when the member does not exist. */
export async function lockAuthor(tx: Db, memberId: string): Promise<{ hiddenAt: Date | null } | null> {
  const [row] = await queryRows(tx, authorRowSchema)`
    SELECT comments_hidden_at AS "hiddenAt" FROM member WHERE id = ${memberId} FOR NO KEY UPDATE`
  return row ?? null
}

/** Hides all comments of a member from other readers, or shows them again. */
export async function setAuthorHidden(tx: Db, memberId: string, hiddenAt: Date | null): Promise<void> {
  await tx.$executeRaw`UPDATE member SET comments_hidden_at = ${hiddenAt} WHERE id = ${memberId}`
}

const authorSchema = z.object({
  comments: z.int(),
  hidden: z.int(),
  allHidden: z.boolean(),
  plans: z.array(z.string()),
})

/** Returns an author's active plans, the number of their comments, and of those that are hidden themselves. */
export async function describeAuthor(db: Db, memberId: string): Promise<z.infer<typeof authorSchema>> {
  const [row] = await queryRows(db, authorSchema)`
    SELECT count(*)::int AS comments, count(hidden_at)::int AS hidden, EXISTS (
      SELECT FROM member WHERE id = ${memberId} AND comments_hidden_at IS NOT NULL
    ) AS "allHidden", ARRAY(
      SELECT plan.plan_id::text FROM plan_connection plan WHERE plan.member_id = ${memberId} AND plan.active
      ORDER BY plan.created_at
    ) AS plans
    FROM (
      SELECT hidden_at FROM comment_post WHERE member_id = ${memberId}
      UNION ALL SELECT hidden_at FROM comment_thread WHERE member_id = ${memberId}
    ) own`
  return row ?? { comments: 0, hidden: 0, allHidden: false, plans: [] }
}
