import type { CommentPost, CommentThread } from '@tidings/contracts/comments'
import { z } from 'zod'
import type { MembershipApp } from '#platform/membership-apps/membership-apps.ts'
import { profileImageUrl } from '../members/index.ts'
import type { AuthorRow, PostRow, ThreadRow, Viewer } from './stored/comment-sight.repository.ts'

const fields = z.record(z.string(), z.unknown())

/** Who looks at an app's comments; `memberId` is null for a visitor. */
export function toViewer<T extends string | null>(app: MembershipApp, memberId: T): Viewer & { memberId: T } {
  const publicFields = app.customFields.filter(({ visibility }) => visibility === 'PUBLIC')
  return { appId: app.id, publicFields: publicFields.map(({ key }) => key), memberId }
}

/** The author of a comment as everybody may see them. Picture addresses are absolute, below the site's own. */
export function toAuthor(row: AuthorRow, siteUrl: URL): CommentThread['member'] {
  return {
    id: row.member_id,
    customFields: fields.parse(row.custom_fields),
    profileImage: profileImageUrl(row.profile_image, siteUrl),
  }
}

export function toPost(row: PostRow, siteUrl: URL): CommentPost {
  const counts = { Threads: row.thread_count, likedBy: row.liked_by, dislikedBy: row.disliked_by }
  return { ...commentOf(row, siteUrl), _count: counts }
}

/** A thread. Votes against it are kept, and nobody is shown how many. */
export function toThread(row: ThreadRow, siteUrl: URL): CommentThread {
  // A thread has no threads; clients read the count all the same.
  return { ...commentOf(row, siteUrl), _count: { Threads: 0, likedBy: row.liked_by } }
}

function commentOf(row: ThreadRow, siteUrl: URL): Omit<CommentThread, '_count'> {
  return {
    id: row.id,
    internalOrder: String(row.internal_order),
    createdAt: row.created_at.toISOString(),
    content: row.content,
    member: toAuthor(row, siteUrl),
  }
}
