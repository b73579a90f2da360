/**
 * The editors' desk, `/desk/v1`.
 *
 * - editor: holds a key with scopes (`read`, `write`, `publish`), which can be revoked
 * - change: what an editor does, committed with its audit entry and its stored reply
 * - requester: the editor of a change, with the Idempotency-Key of the request
 */
export { createArticleDesk } from './articles/article-desk.service.ts'
export { createArticleVersions, createArticleWriting } from './articles/article-writing.service.ts'
export { recordChange } from './changes/changes.repository.ts'
export { type ChangeService, createChangeService } from './changes/changes.service.ts'
export { createCommentDesk } from './comments/comment-desk.service.ts'
export { createArticleReaders } from './content/article-readers.service.ts'
export { createContentGroupDesk } from './content/content-group-desk.service.ts'
export { createSecureContentDesk } from './content/secure-content-desk.service.ts'
export { registerEditorRoutes } from './desk.routes.ts'
export { type DeskReply, pageReply, replyWith } from './desk-reply.ts'
export { createEditionDesk } from './editions/edition-desk.service.ts'
export { createEditionMemos } from './editions/edition-memos.service.ts'
export { createEditionUndo } from './editions/edition-undo.service.ts'
export { createMemoDesk } from './editions/memo-desk.service.ts'
export { announce, announceEdition, announceEndedAccess } from './events/announce.ts'
export { createDeskEvents, type DeskEvents } from './events/desk-events.service.ts'
export { registerDeskSocket } from './events/desk-socket.routes.ts'
export { createEditorKeyService, type EditorKeyService } from './keys/editor-keys.service.ts'
export { createMediaDesk } from './media/media-desk.service.ts'
export { type Editor, scopesOf } from './requests/editor.ts'
export { type Requester, registerDesk } from './requests/register-desk.ts'
export { createLeaveOut } from './writing/edition-texts.ts'
export { createMemoVersions } from './writing/memo-versions.service.ts'
export { createMemoWriting } from './writing/memo-writing.service.ts'
