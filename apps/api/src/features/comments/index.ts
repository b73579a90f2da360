/**
 * The discussions of an app's pages.
 *
 * - channel: a page's discussion, by the page's own name for it; it is there from its first post or subscription on
 * - post, thread: a comment, and a reply to it; both are called comments where they are alike
 * - internal order: the place of a comment in its list, given when it is stored and in the order of storing
 * - vote: one for each member and comment; of threads only those for it are shown
 * - hidden comment: an editor took it down; it is there for nobody, its author included
 * - hidden author: everything they write is seen by themselves alone. Their posts and threads are out of everybody
 *   else's lists and counts, with whatever was replied to those posts; their votes count
 */
export { CommentNotFoundError } from './comments.errors.ts'
export { createCommentService } from './comments.service.ts'
export { registerCommentRoutes } from './routes/comments.routes.ts'
export {
  listForModeration,
  lockAuthor,
  lockComment,
  type ModeratedComment,
  setAuthorHidden,
  setHidden,
} from './stored/moderation.repository.ts'
export { createTyping, type Typing } from './typing/typing.service.ts'
