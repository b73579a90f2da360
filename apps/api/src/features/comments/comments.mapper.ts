import type { CommentPost, CommentThread } from '@tidings/contracts/membership/comments'
import { z } from 'zod'
import type { MembershipApp } from '#platform/membership-apps/membership-apps.ts'
import { profileImageUrl } from '../members/index.ts'
import type { AuthorRow, CommentRow, Viewer } from './stored/visible-comments.repository.ts'

const fieldsSchema = z.record(z.string(), z.unknown())

/** Returns the viewer of an app's comments; `memberId` is null for a visitor. */
export function toViewer<T extends string | null>(
  app: MembershipApp,
  memberId: T,
  hasGatePass: boolean,
): Viewer & { memberId: T } {
  return { ...toPublicFields(app), memberId, hasGatePass }
}

/** Returns which custom fields of an app's members everyone may see. */
export function toPublicFields(app: MembershipApp): Pick<Viewer, 'appId' | 'publicFields'> {
  const publicFields = app.customFields.filter(({ visibility }) => visibility === 'PUBLIC')
  return { appId: app.id, publicFields: publicFields.map(({ key }) => key) }
}

/** Returns the public fields of an author; the image URL is absolute. */
export function toAuthor(row: AuthorRow, siteUrl: URL): CommentThread['member'] {
  return {
    id: row.member_id,
    customFields: fieldsSchema.parse(row.custom_fields),
    profileImage: profileImageUrl(row.profile_image, siteUrl),
  }
}

export function toPost(row: CommentRow, siteUrl: URL): CommentPost {
  const counts = { Threads: row.thread_count, likedBy: row.liked_by, dislikedBy: row.disliked_by }
  return { ...toThread(row, siteUrl), _count: counts }
}

/** NOTE: a thread has no threads, but clients read the count. Its down votes are stored and never shown. */
export function toThread(row: CommentRow, siteUrl: URL): CommentThread {
  return {
    id: row.id,
    internalOrder: String(row.internal_order),
    createdAt: row.created_at.toISOString(),
    content: row.content,
    member: toAuthor(row, siteUrl),
    vote: row.own_vote ?? 'NONE',
    _count: { Threads: 0, likedBy: row.liked_by },
  }
}
