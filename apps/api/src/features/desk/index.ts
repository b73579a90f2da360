/**
 * The editors' desk, `/desk/v1`.
 *
 * - editor: who holds a key; a key has scopes (`read`, `write`, `publish`) and can be revoked
 * - change: what an editor does, stored together with its line in the audit log and its remembered reply
 * - asker: the editor of a change, with the Idempotency-Key they sent
 */
export { createArticleDesk } from './articles/article-desk.service.ts'
export { recordChange } from './changes/audit.repository.ts'
export { createChanges } from './changes/changes.service.ts'
export { createCommentDesk } from './comments/comment-desk.service.ts'
export { createContentGroupDesk } from './content/content-group-desk.service.ts'
export { createSecureContentDesk } from './content/secure-content-desk.service.ts'
export { registerEditorRoutes } from './desk.routes.ts'
export { createEditionDesk } from './editions/edition-desk.service.ts'
export { createEditorKeyService } from './keys/editor-keys.service.ts'
export { createMediaDesk } from './media/media-desk.service.ts'
