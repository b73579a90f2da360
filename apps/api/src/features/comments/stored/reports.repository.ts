import { z } from 'zod'
import { Prisma } from '#generated/prisma/client.ts'
import type { Db } from '#platform/database.ts'
import { countRowSchema, idRowSchema, queryRows } from '#platform/query-rows.ts'
import { type CommentKind, tables, visibleComment, type Writer } from './visible-comments.repository.ts'

/** Stores a member's report unless there is one; returns whether the comment is visible. */
export async function createReport(
  db: Db,
  writer: Writer,
  kind: CommentKind,
  id: string,
  { reason, createdAt }: { reason: string; createdAt: Date },
): Promise<boolean> {
  const { comments, voteKey } = tables[kind]
  const rows = await queryRows(db, idRowSchema)`
    WITH reporter AS (SELECT id FROM member WHERE id = ${writer.memberId} FOR KEY SHARE), target AS (
      SELECT comment.id, reporter.id AS member_id FROM reporter CROSS JOIN ${comments} comment
      WHERE comment.id IN (SELECT visible.id FROM (${visibleComment(writer, kind, id)}) visible)
      FOR KEY SHARE OF comment
    ), stored AS (
      INSERT INTO comment_report (${voteKey}, member_id, reason, created_at)
      SELECT target.id, target.member_id, ${reason}, ${createdAt} FROM target
      ON CONFLICT DO NOTHING RETURNING 1
    )
    SELECT target.id FROM target`
  return rows.length > 0
}

const reportSchema = z.object({ commentId: z.string(), reason: z.string(), createdAt: z.date() })

/** A report that no editor has ended. */
export type OpenReport = z.infer<typeof reportSchema>

/** Lists the open reports of comments, oldest first. */
export async function listOpenReports(db: Db, commentIds: readonly string[]): Promise<OpenReport[]> {
  const ids = [...commentIds]
  return await queryRows(db, reportSchema)`
    SELECT coalesce(post_id, thread_id) AS "commentId", reason, created_at AS "createdAt" FROM comment_report
    WHERE ended_at IS NULL AND (post_id = ANY(${ids}::text[]) OR thread_id = ANY(${ids}::text[])) ORDER BY id`
}

/** Ends the open reports of comments. Returns the comments that had some. */
export async function endReports(tx: Db, commentIds: readonly string[], now: Date): Promise<Set<string>> {
  const ids = [...commentIds]
  const ended = await queryRows(tx, idRowSchema)`
    UPDATE comment_report SET ended_at = ${now}
    WHERE ended_at IS NULL AND (post_id = ANY(${ids}::text[]) OR thread_id = ANY(${ids}::text[]))
    RETURNING coalesce(post_id, thread_id) AS id`
  return new Set(ended.map(({ id }) => id))
}

/** Selects the comments that wait for a decision: reported, and shown to readers. The oldest report is their place. */
const reported = Prisma.sql`
  SELECT min(report.id::text) AS place, coalesce(report.post_id, report.thread_id) AS id
  FROM comment_report report
  LEFT JOIN comment_post post ON post.id = report.post_id
  LEFT JOIN comment_thread thread ON thread.id = report.thread_id
  JOIN member author ON author.id = coalesce(post.member_id, thread.member_id)
  WHERE report.ended_at IS NULL AND author.comments_hidden_at IS NULL
    AND coalesce(post.hidden_at, thread.hidden_at) IS NULL
  GROUP BY report.post_id, report.thread_id`

/** A reported comment and its place in the list: the id of its oldest open report. */
const reportedSchema = z.object({ id: z.string(), place: z.string() })

/** Lists a page of reported comments, the one with the oldest report first. */
export async function listReported(
  db: Db,
  { after, limit }: { after: string | null; limit: number },
): Promise<z.infer<typeof reportedSchema>[]> {
  return await queryRows(db, reportedSchema)`
    SELECT reported.id, reported.place FROM (${reported}) reported
    ${after === null ? Prisma.empty : Prisma.sql`WHERE reported.place > ${after}`}
    ORDER BY reported.place LIMIT ${limit}`
}

/** Counts the reported comments that wait for a decision. */
export async function countReported(db: Db): Promise<number> {
  const [row] = await queryRows(db, countRowSchema)`SELECT count(*)::int AS count FROM (${reported}) reported`
  return row?.count ?? 0
}
