import type { DeskComment } from '@tidings/contracts/desk'
import type { ModeratedComment } from '#features/comments/index.ts'

/** A comment as editors read it. */
export function toDeskComment(row: ModeratedComment): DeskComment {
  return {
    id: row.id,
    kind: row.kind,
    appId: row.app_id,
    channelKey: row.channel_key,
    postId: row.post_id,
    memberId: row.member_id,
    content: row.content,
    hidden: row.hidden_at !== null,
    authorHidden: row.author_hidden_at !== null,
    createdAt: row.created_at.toISOString(),
    editedAt: row.edited_at?.toISOString() ?? null,
  }
}
