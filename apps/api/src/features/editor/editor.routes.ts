import type { App } from '../../http/app-type.ts'
import type { Database } from '../../platform/database.ts'
import { registerArticleDesk } from './articles/article-desk.routes.ts'
import type { ArticleDesk } from './articles/article-desk.service.ts'
import { registerAuditLog } from './changes/audit.routes.ts'
import { registerEditionDesk } from './editions/edition-desk.routes.ts'
import type { EditionDesk } from './editions/edition-desk.service.ts'
import { registerMediaDesk } from './media/media-desk.routes.ts'
import type { MediaDesk } from './media/media-desk.service.ts'

type Deps = {
  database: Database
  editionDesk: EditionDesk
  articleDesk: ArticleDesk
  mediaDesk: MediaDesk
}

/** Every route of `/desk/v1`. */
export async function registerEditorRoutes(
  app: App,
  { database, editionDesk, articleDesk, mediaDesk }: Deps,
): Promise<void> {
  app.addHook('onRequest', (_request, reply, done) => {
    reply.header('Cache-Control', 'no-store')
    done()
  })
  registerEditionDesk(app, { desk: editionDesk })
  registerArticleDesk(app, { desk: articleDesk })
  await registerMediaDesk(app, { desk: mediaDesk })
  registerAuditLog(app, { database })
}
