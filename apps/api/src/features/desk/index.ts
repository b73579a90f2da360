/**
 * The editors' desk, `/desk/v1`.
 *
 * - editor: holds a key with scopes (`read`, `write`, `publish`), which can be revoked
 * - change: what an editor does, committed with its audit entry and its stored reply
 * - requester: the editor of a change, with the Idempotency-Key of the request
 */
export { createArticleDesk } from './articles/article-desk.service.ts'
export { recordChange } from './changes/changes.repository.ts'
export { type ChangeService, createChangeService } from './changes/changes.service.ts'
export { createCommentDesk } from './comments/comment-desk.service.ts'
export { createContentGroupDesk } from './content/content-group-desk.service.ts'
export { createSecureContentDesk } from './content/secure-content-desk.service.ts'
export { registerEditorRoutes } from './desk.routes.ts'
export { type DeskReply, pageReply, replyWith } from './desk-reply.ts'
export { createEditionDesk } from './editions/edition-desk.service.ts'
export { createMemoDesk } from './editions/memo-desk.service.ts'
export { createEditorKeyService } from './keys/editor-keys.service.ts'
export { createMediaDesk } from './media/media-desk.service.ts'
export type { Editor } from './requests/editor.ts'
export { type Requester, registerDesk } from './requests/register-desk.ts'
