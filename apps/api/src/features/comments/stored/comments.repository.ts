import { z } from 'zod'
import { Prisma } from '#generated/prisma/client.ts'
import type { Db } from '#platform/database.ts'
import type { SafeHtml } from '#platform/html/clean-html.ts'
import { countRowSchema, queryRows } from '#platform/query-rows.ts'
import {
  type AuthorRow,
  authorColumns,
  authorRowSchema,
  type CommentKind,
  type CommentRow,
  commentColumns,
  commentRowSchema,
  hiddenAuthors,
  isVisible,
  joinVisiblePost,
  tables,
  type Viewer,
  visibleComment,
  type Writer,
} from './visible-comments.repository.ts'

type NewComment = { id: string; content: SafeHtml; createdAt: Date }

/** A page of a list; `after` is the `internal_order` of the previous page's last item. */
export type Page = { after: bigint | null; order: 'newest' | 'oldest'; limit: number }

/** Returns a page of the visible posts of a channel, or of the visible threads of a post. */
export async function listComments(
  db: Db,
  viewer: Viewer,
  kind: CommentKind,
  parentId: string,
  { after, order, limit }: Page,
): Promise<CommentRow[]> {
  const { comments, parents, parentKey } = tables[kind]
  const [direction, beyond] =
    order === 'newest' ? [Prisma.sql`DESC`, Prisma.sql`<`] : [Prisma.sql`ASC`, Prisma.sql`>`]
  // NOTE: the page is read laterally from its parent. With a plain parent id, the planner may walk the newest comments
  // of all parents in search of an old one's.
  return await queryRows(db, commentRowSchema)`
    SELECT item.* FROM ${parents} parent CROSS JOIN LATERAL (
      SELECT ${commentColumns(viewer, kind)}
      FROM ${comments} comment JOIN member author ON author.id = comment.member_id
      WHERE comment.${parentKey} = parent.id AND comment.hidden_at IS NULL
        AND ${isVisible(viewer, Prisma.sql`author`)}
        ${after === null ? Prisma.empty : Prisma.sql`AND comment.internal_order ${beyond} ${after}`}
      ORDER BY comment.internal_order ${direction} LIMIT ${limit}
    ) item WHERE parent.id = ${idOfParent(kind, parentId)} ORDER BY item.internal_order ${direction}`
}

function idOfParent(kind: CommentKind, id: string): Prisma.Sql {
  return kind === 'post' ? Prisma.sql`${id}::uuid` : Prisma.sql`${id}`
}

/** Returns how many posts of a channel are visible. */
export async function countPosts(db: Db, viewer: Viewer, channelId: string): Promise<number> {
  const [row] = await queryRows(db, countRowSchema)`
    SELECT count(*)::int AS count FROM comment_post post
    WHERE post.channel_id = ${channelId}::uuid AND post.hidden_at IS NULL
      AND NOT EXISTS (${hiddenAuthors(viewer)} AND hidden.id = post.member_id)`
  return row?.count ?? 0
}

const placeRowSchema = z.object({ member_id: z.string(), channel_key: z.string() })

/** Returns the author and the channel of a visible comment, or null. */
export async function findPlace(
  db: Db,
  viewer: Viewer,
  kind: CommentKind,
  id: string,
): Promise<{ authorId: string; channelKey: string } | null> {
  const [row] = await queryRows(db, placeRowSchema)`${visibleComment(viewer, kind, id)}`
  return row === undefined ? null : { authorId: row.member_id, channelKey: row.channel_key }
}

/** Returns a member's public fields; null when the member was deleted or is hidden by an editor. */
export async function findPublicAuthor(
  db: Db,
  viewer: Pick<Viewer, 'appId' | 'publicFields'>,
  memberId: string,
): Promise<AuthorRow | null> {
  const [row] = await queryRows(db, authorRowSchema)`
    SELECT ${authorColumns(viewer)} FROM member author
    WHERE author.id = ${memberId} AND author.app_id = ${viewer.appId} AND author.comments_hidden_at IS NULL`
  return row ?? null
}

/**
 * Stores a comment; null when its author or the visible post above it no longer exists. Locks the parent's row until
 * commit, so that `internal_order` grows in commit order and no page skips a comment.
 */
export async function createComment(
  db: Db,
  writer: Writer,
  kind: CommentKind,
  parentId: string,
  { id, content, createdAt }: NewComment,
): Promise<CommentRow | null> {
  const { comments, parentKey } = tables[kind]
  const parent =
    kind === 'post'
      ? Prisma.sql`
          SELECT channel.id, writer.id AS member_id FROM comment_channel channel, writer
          WHERE channel.id = ${parentId}::uuid FOR NO KEY UPDATE OF channel`
      : Prisma.sql`
          SELECT post.id, writer.id AS member_id FROM writer CROSS JOIN comment_post post ${joinVisiblePost(writer)}
          WHERE post.id = ${parentId} AND post.hidden_at IS NULL FOR NO KEY UPDATE OF post`
  const [row] = await queryRows(db, commentRowSchema)`
    WITH writer AS (SELECT id FROM member WHERE id = ${writer.memberId} FOR KEY SHARE), parent AS (${parent}),
    comment AS (
      INSERT INTO ${comments} (id, ${parentKey}, member_id, content, created_at)
      SELECT ${id}, parent.id, parent.member_id, ${content}, ${createdAt} FROM parent
      RETURNING *
    )
    SELECT ${commentColumns(writer, kind)} FROM comment JOIN member author ON author.id = comment.member_id`
  return row ?? null
}

/** Edits one of the member's own comments; null when it no longer exists. */
export async function updateComment(
  db: Db,
  writer: Writer,
  kind: CommentKind,
  id: string,
  { content, editedAt }: { content: SafeHtml; editedAt: Date },
): Promise<CommentRow | null> {
  const [row] = await queryRows(db, commentRowSchema)`
    WITH comment AS (
      UPDATE ${tables[kind].comments} SET content = ${content}, edited_at = ${editedAt}
      WHERE id = ${id} AND member_id = ${writer.memberId} AND hidden_at IS NULL RETURNING *
    )
    SELECT ${commentColumns(writer, kind)} FROM comment JOIN member author ON author.id = comment.member_id`
  return row ?? null
}

/** Deletes the member's own comment with its threads. Locks a thread's post first, as post deletion does. */
export async function removeComment(
  db: Db,
  { memberId }: Writer,
  kind: CommentKind,
  id: string,
): Promise<boolean> {
  if (kind === 'post') {
    return (await db.commentPost.deleteMany({ where: { id, memberId, hiddenAt: null } })).count > 0
  }
  const count = await db.$executeRaw`
    WITH parent AS (
      SELECT post.id FROM comment_post post JOIN comment_thread thread ON thread.post_id = post.id
      WHERE thread.id = ${id} FOR NO KEY UPDATE OF post
    )
    DELETE FROM comment_thread
    WHERE id = ${id} AND member_id = ${memberId} AND hidden_at IS NULL AND post_id IN (SELECT id FROM parent)`
  return count > 0
}

/** Sets or removes a vote; returns whether the comment is visible. Locks the comment first, as deletion does. */
export async function setVote(
  db: Db,
  writer: Writer,
  kind: CommentKind,
  id: string,
  vote: 'UP' | 'DOWN' | 'NONE',
): Promise<boolean> {
  const { comments, votes, voteKey } = tables[kind]
  const stored =
    vote === 'NONE'
      ? Prisma.sql`
          DELETE FROM ${votes} WHERE ${voteKey} IN (SELECT id FROM target) AND member_id = ${writer.memberId}`
      : Prisma.sql`
          INSERT INTO ${votes} AS held (${voteKey}, member_id, vote)
          SELECT target.id, target.voter_id, ${vote}::comment_vote FROM target
          ON CONFLICT (${voteKey}, member_id) DO UPDATE SET vote = excluded.vote WHERE held.vote <> excluded.vote`
  const rows = await db.$queryRaw`
    WITH voter AS (SELECT id FROM member WHERE id = ${writer.memberId} FOR KEY SHARE), target AS (
      SELECT comment.id, voter.id AS voter_id FROM voter CROSS JOIN ${comments} comment
      WHERE comment.id IN (SELECT visible.id FROM (${visibleComment(writer, kind, id)}) visible)
      FOR NO KEY UPDATE OF comment
    ), stored AS (${stored} RETURNING 1)
    SELECT target.id FROM target`
  return rows.length > 0
}
