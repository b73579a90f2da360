import type { FastifyRequest } from 'fastify'
import type { App } from '#http/app-type.ts'
import type { Database } from '#platform/database.ts'
import { AppError } from '#platform/errors.ts'
import { registerArticleDesk } from './articles/article-desk.routes.ts'
import type { ArticleDesk } from './articles/article-desk.service.ts'
import { registerAuditLog } from './changes/audit.routes.ts'
import { registerCommentDeskRoutes } from './comments/comment-desk.routes.ts'
import type { CommentDesk } from './comments/comment-desk.service.ts'
import { registerContentGroupDesk } from './content/content-group-desk.routes.ts'
import type { ContentGroupDesk } from './content/content-group-desk.service.ts'
import { registerSecureContentDesk } from './content/secure-content-desk.routes.ts'
import type { SecureContentDesk } from './content/secure-content-desk.service.ts'
import { registerEditionDesk } from './editions/edition-desk.routes.ts'
import type { EditionDesk } from './editions/edition-desk.service.ts'
import { registerMediaDesk } from './media/media-desk.routes.ts'
import type { MediaDesk } from './media/media-desk.service.ts'

type Deps = {
  database: Database
  editionDesk: EditionDesk
  articleDesk: ArticleDesk
  contentGroupDesk: ContentGroupDesk
  secureContentDesk: SecureContentDesk
  commentDesk: CommentDesk
  mediaDesk: MediaDesk
}

/** Every route of `/desk/v1`. */
export async function registerEditorRoutes(app: App, deps: Deps): Promise<void> {
  const { database, editionDesk, articleDesk, contentGroupDesk, secureContentDesk, commentDesk, mediaDesk } =
    deps
  app.addHook('onRequest', (_request, reply, done) => {
    reply.header('Cache-Control', 'no-store')
    done()
  })
  app.addHook('preValidation', (request, _reply, done) => {
    refuseUnknown(request)
    done()
  })
  registerEditionDesk(app, { desk: editionDesk })
  registerArticleDesk(app, { desk: articleDesk })
  registerContentGroupDesk(app, { desk: contentGroupDesk })
  registerSecureContentDesk(app, { desk: secureContentDesk })
  registerCommentDeskRoutes(app, { desk: commentDesk })
  await registerMediaDesk(app, { desk: mediaDesk })
  registerAuditLog(app, { database })
}

/** Where a route documents no query or no body, none is taken; the others refuse what they do not know themselves. */
function refuseUnknown({ routeOptions, query, body }: FastifyRequest): void {
  if (routeOptions.schema?.querystring === undefined) refuseKeys('query parameter', query)
  if (routeOptions.schema?.body === undefined) refuseKeys('body key', body)
}

function refuseKeys(what: string, given: unknown): void {
  if (given === undefined || given === null) return
  const [first] = Object.keys(Object(given))
  if (first === undefined && typeof given === 'object') return
  throw new AppError(
    'invalid-request',
    400,
    `This address takes no ${what}${first === undefined ? '' : ` ${first}`}.`,
  )
}
