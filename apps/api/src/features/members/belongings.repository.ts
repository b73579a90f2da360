import type {
  CommentPost,
  CommentPostVote,
  CommentThread,
  CommentThreadVote,
  MemberIdentity,
  MemberSession,
} from '../../generated/prisma/client.ts'
import type { Db } from '../../platform/database.ts'

/** What of a member lies in other tables: ways in and sessions from the oldest on, comments in the order of writing. */
export type Belongings = {
  identities: MemberIdentity[]
  sessions: MemberSession[]
  posts: (CommentPost & { channel: { key: string } })[]
  threads: CommentThread[]
  postVotes: CommentPostVote[]
  threadVotes: CommentThreadVote[]
  subscriptions: { channel: { key: string } }[]
}

const channelKey = { channel: { select: { key: true } } } as const

/** All of it, for the member to take along. */
export async function listBelongings(db: Db, memberId: string): Promise<Belongings> {
  const where = { memberId }
  const [identities, sessions, posts, threads, postVotes, threadVotes, subscriptions] = await Promise.all([
    db.memberIdentity.findMany({ where, orderBy: { createdAt: 'asc' } }),
    db.memberSession.findMany({ where, orderBy: { createdAt: 'asc' } }),
    db.commentPost.findMany({ where, orderBy: { internalOrder: 'asc' }, include: channelKey }),
    db.commentThread.findMany({ where, orderBy: { internalOrder: 'asc' } }),
    db.commentPostVote.findMany({ where }),
    db.commentThreadVote.findMany({ where }),
    db.commentSubscription.findMany({ where, include: channelKey }),
  ])
  return { identities, sessions, posts, threads, postVotes, threadVotes, subscriptions }
}
