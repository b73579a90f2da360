import type { Member, MemberExport } from '@tidings/contracts/members'
import type { Belongings } from './belongings.repository.ts'
import type { MemberRow } from './members.repository.ts'

/** Everything that is kept about a member, in the wire's words; of the comments those that are the member's own. */
export function toMemberExport(
  row: Pick<MemberRow, 'termsAcceptedAt' | 'termsOrigin'>,
  belongings: Belongings,
  { member, exportedAt }: { member: Member; exportedAt: Date },
): MemberExport {
  const { identities, sessions, posts, threads, postVotes, threadVotes, subscriptions } = belongings
  return {
    exportedAt: exportedAt.toISOString(),
    member,
    termsAcceptedAt: row.termsAcceptedAt.toISOString(),
    termsOrigin: row.termsOrigin,
    identities: identities.map(({ provider, subject, createdAt }) => ({
      provider,
      subject,
      createdAt: new Date(createdAt).toISOString(),
    })),
    sessions: sessions.map(({ id, createdAt, lastUsedAt, expiresAt, userAgent }) => ({
      id,
      createdAt: createdAt.toISOString(),
      lastUsedAt: lastUsedAt.toISOString(),
      expiresAt: expiresAt.toISOString(),
      userAgent,
    })),
    comments: {
      posts: posts.map((post) => ({ ...commentOf(post), channelKey: post.channel.key })),
      threads: threads.map((thread) => ({ ...commentOf(thread), postId: thread.postId })),
      postVotes: postVotes.map(({ postId, vote }) => ({ postId, vote })),
      threadVotes: threadVotes.map(({ threadId, vote }) => ({ threadId, vote })),
      subscriptions: subscriptions.map(({ channel }) => channel.key),
    },
  }
}

function commentOf({ id, content, createdAt, editedAt }: Belongings['posts' | 'threads'][number]) {
  return {
    id,
    content,
    createdAt: createdAt.toISOString(),
    editedAt: editedAt?.toISOString() ?? null,
  }
}
