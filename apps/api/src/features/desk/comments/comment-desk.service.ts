import type {
  CommentContext,
  CommentDecision,
  DeskCommentAuthor,
  DeskCommentQuery,
} from '@tidings/contracts/desk/comments'
import {
  countForModeration,
  countReported,
  describeAuthor,
  endReports,
  fail as failComment,
  findForModeration,
  listAround,
  lockAuthor,
  lockComments,
  type ModeratedComment,
  setAuthorHidden,
  setHidden,
} from '#features/comments/index.ts'
import type { Db } from '#platform/database.ts'
import type { Audit } from '../changes/changes.service.ts'
import type { DeskDeps } from '../changes/desk.deps.ts'
import { fail } from '../desk.errors.ts'
import { type DeskReply, replyWith } from '../desk-reply.ts'
import { announce } from '../events/announce.ts'
import type { Requester } from '../requests/register-desk.ts'
import { listCommentPage, newSince } from './comment-lists.ts'
import { toDeskComments } from './shown-comments.ts'

type Deps = Pick<DeskDeps, 'database' | 'changes' | 'clock'> & {
  /** The app whose channels name articles and editions. */
  siteAppId: string
  /** The site's, for days. */
  timeZone: string
}

export type CommentDesk = ReturnType<typeof createCommentDesk>

// Of the comments on each side of one.
const shownAround = 5

/** Lets editors read all comments, and decide about them and their authors. */
export function createCommentDesk({ database, changes, clock, siteAppId, timeZone }: Deps) {
  const { db } = database

  async function decisionReply(tx: Db, rows: ModeratedComment[], changed: string[]): Promise<DeskReply> {
    const data: CommentDecision = { comments: await toDeskComments(tx, rows, siteAppId), changed }
    return replyWith(data)
  }

  return {
    async list(query: DeskCommentQuery): Promise<DeskReply> {
      const { rows, next } = await listCommentPage(db, query, { now: clock.now(), timeZone })
      const data = await toDeskComments(db, rows, siteAppId)
      return { status: 200, body: { data, next }, etag: null }
    },

    async count(): Promise<DeskReply> {
      const [reported, hidden, fresh] = await Promise.all([
        countReported(db),
        countForModeration(db, { hidden: true }),
        countForModeration(db, { since: newSince(clock.now()) }),
      ])
      return replyWith({ reported, hidden, new: fresh })
    },

    /** Throws `comment-not-found`. */
    async context(id: string): Promise<DeskReply> {
      const [row] = await findForModeration(db, [id])
      if (row === undefined) throw failComment('comment-not-found')
      const { member_id: memberId } = row
      const around = await toDeskComments(db, await listAround(db, row, shownAround), siteAppId)
      const comment = around.find((each) => each.id === id)
      if (comment === undefined) throw failComment('comment-not-found')
      const author: CommentContext['author'] = {
        memberId,
        ...comment.author,
        ...(await describeAuthor(db, memberId)),
      }
      return replyWith({ comment, around, author })
    },

    /** Throws `comment-not-found`. A request that changes nothing is not audited. */
    async moderate(requester: Requester, id: string, hidden: boolean): Promise<DeskReply> {
      return await changes.run(requester, async (tx, audit) => {
        const hiddenAt = hidden ? clock.now() : null
        const { rows } = await applyHidden(tx, audit, await lockComments(tx, [id]), hiddenAt)
        const [comment] = await toDeskComments(tx, rows, siteAppId)
        if (comment === undefined) throw failComment('comment-not-found')
        return replyWith(comment)
      })
    },

    /** Hides several comments or shows them again, each with its audit entry. Missing ones are left out. */
    async hide(requester: Requester, ids: readonly string[], hidden: boolean): Promise<DeskReply> {
      return await changes.run(requester, async (tx, audit) => {
        const hiddenAt = hidden ? clock.now() : null
        const { rows, changed } = await applyHidden(tx, audit, await lockComments(tx, ids), hiddenAt)
        return await decisionReply(tx, rows, changed)
      })
    },

    /** Ends the reports of comments. Those without an open one are not audited. */
    async keep(requester: Requester, ids: readonly string[]): Promise<DeskReply> {
      return await changes.run(requester, async (tx, audit) => {
        const rows = await lockComments(tx, ids)
        const ended = await endReports(
          tx,
          rows.map(({ id }) => id),
          clock.now(),
        )
        for (const { id, kind, member_id: memberId } of rows.filter((row) => ended.has(row.id))) {
          await audit('comment.keep', id, { kind, memberId })
          await announce(tx, { type: 'comment', comment: id, change: 'kept' })
        }
        return await decisionReply(tx, rows, [...ended])
      })
    },

    /** Throws `member-not-found`. */
    async moderateAuthor(requester: Requester, memberId: string, hidden: boolean): Promise<DeskReply> {
      return await changes.run(requester, async (tx, audit) => {
        const author = await lockAuthor(tx, memberId)
        if (author === null) throw fail('member-not-found')
        const hiddenAt = hidden ? (author.hiddenAt ?? clock.now()) : null
        if (hidden !== (author.hiddenAt !== null)) {
          await setAuthorHidden(tx, memberId, hiddenAt)
          await audit(hidden ? 'comment-author.hide' : 'comment-author.show', memberId, {})
          const change = hidden ? 'hidden' : 'shown'
          await announce(tx, { type: 'comment-author', member: memberId, change })
        }
        const data: DeskCommentAuthor = { memberId, hidden, hiddenAt: hiddenAt?.toISOString() ?? null }
        return replyWith(data)
      })
    },
  }
}

/** Hides locked comments or shows them again. Those that are so already change nothing and are not audited. */
async function applyHidden(
  tx: Db,
  audit: Audit,
  comments: readonly ModeratedComment[],
  hiddenAt: Date | null,
): Promise<{ rows: ModeratedComment[]; changed: string[] }> {
  const changed = comments.filter((comment) => (hiddenAt === null) !== (comment.hidden_at === null))
  await setHidden(tx, changed, hiddenAt)
  for (const { id, kind, member_id: memberId, content } of changed) {
    await audit(hiddenAt !== null ? 'comment.hide' : 'comment.show', id, { kind, memberId, content })
    await announce(tx, { type: 'comment', comment: id, change: hiddenAt !== null ? 'hidden' : 'shown' })
  }
  const ids = changed.map(({ id }) => id)
  const rows = comments.map((each) => (ids.includes(each.id) ? { ...each, hidden_at: hiddenAt } : each))
  return { rows, changed: ids }
}
