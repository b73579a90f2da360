/**
 * The discussions of an app's pages.
 *
 * - channel: the discussion of a page, under a key that the page chooses; created with its first post or subscription
 * - post, thread: a comment, and a reply to it; "comment" means either
 * - internal order: the position of a comment in its list, assigned in commit order
 * - vote: one per member and comment; down votes on threads are stored but never shown
 * - hidden comment: removed by an editor from everyone's view, its author's included
 * - hidden author: a member whose comments only they can see. Their posts and threads, and all replies to those posts,
 *   are missing from other readers' lists and counts; their votes count
 * - report: a reader asks the editors to look at a comment; it is open until an editor keeps the comment
 */
export { type ChannelAccess, createChannelAccess } from './channel-access.ts'
export { fail } from './comments.errors.ts'
export { registerCommentRoutes } from './comments.routes.ts'
export { createCommentService } from './comments.service.ts'
export {
  countForModeration,
  describeAuthor,
  findForModeration,
  listAround,
  listForModeration,
  lockAuthor,
  lockComments,
  type ModeratedComment,
  type ModerationFilter,
  setAuthorHidden,
  setHidden,
} from './stored/moderation.repository.ts'
export {
  countReported,
  endReports,
  listOpenReports,
  listReported,
  type OpenReport,
} from './stored/reports.repository.ts'
export { createTyping, type Typing, typingChannel } from './typing.service.ts'
