import type { App } from '#http/app-type.ts'
import type { UploadSpool } from '#integrations/storage/upload-spool.ts'
import type { Database } from '#platform/database.ts'
import { registerArticleDesk } from './articles/article-desk.routes.ts'
import type { ArticleDesk } from './articles/article-desk.service.ts'
import { registerArticleWriting } from './articles/article-writing.routes.ts'
import type { ArticleWriting } from './articles/article-writing.service.ts'
import { registerAuditLog } from './changes/audit.routes.ts'
import { registerCommentDesk } from './comments/comment-desk.routes.ts'
import type { CommentDesk } from './comments/comment-desk.service.ts'
import { registerArticleReaders } from './content/article-readers.routes.ts'
import type { ArticleReadersDesk } from './content/article-readers.service.ts'
import { registerContentGroupDesk } from './content/content-group-desk.routes.ts'
import type { ContentGroupDesk } from './content/content-group-desk.service.ts'
import { registerSecureContentDesk } from './content/secure-content-desk.routes.ts'
import type { SecureContentDesk } from './content/secure-content-desk.service.ts'
import {
  registerEditionDesk,
  registerEditionMemos,
  registerMemoDesk,
} from './editions/edition-desk.routes.ts'
import type { EditionDesk } from './editions/edition-desk.service.ts'
import type { EditionMemos } from './editions/edition-memos.service.ts'
import { registerEditionOrders } from './editions/edition-orders.routes.ts'
import type { EditionUndo } from './editions/edition-undo.service.ts'
import { registerMemoSearch } from './editions/find-memos.routes.ts'
import type { MemoDesk } from './editions/memo-desk.service.ts'
import { registerMediaDesk } from './media/media-desk.routes.ts'
import type { MediaDesk } from './media/media-desk.service.ts'
import type { MemoWriting } from './writing/memo-writing.service.ts'
import type { TextVersions } from './writing/text-versions.service.ts'
import { registerWriting } from './writing/writing.routes.ts'

type Deps = {
  database: Database
  site: { timeZone: string }
  editionDesk: EditionDesk
  memoDesk: MemoDesk
  editionMemos: EditionMemos
  editionUndo: EditionUndo
  memoWriting: MemoWriting
  memoVersions: TextVersions
  articleDesk: ArticleDesk
  articleWriting: ArticleWriting
  articleVersions: TextVersions
  articleReaders: ArticleReadersDesk
  contentGroupDesk: ContentGroupDesk
  secureContentDesk: SecureContentDesk
  commentDesk: CommentDesk
  mediaDesk: MediaDesk
  uploads: UploadSpool
}

/** Registers the endpoints of `/desk/v1`, except those of deliveries. */
export async function registerEditorRoutes(app: App, deps: Deps): Promise<void> {
  registerEditionDesk(app, deps.editionDesk)
  registerMemoDesk(app, deps.memoDesk)
  registerEditionMemos(app, deps)
  registerEditionOrders(app, deps.database)
  registerWriting(app, deps)
  registerMemoSearch(app, deps.database)
  registerArticleDesk(app, deps.articleDesk)
  registerArticleWriting(app, deps)
  registerArticleReaders(app, deps.articleReaders)
  registerContentGroupDesk(app, deps.contentGroupDesk)
  registerSecureContentDesk(app, deps.secureContentDesk)
  registerCommentDesk(app, deps.commentDesk)
  await registerMediaDesk(app, deps)
  registerAuditLog(app, { database: deps.database, timeZone: deps.site.timeZone })
}
