import {
  compareArticleVersions,
  discardArticleCopy,
  getArticleCopy,
  getArticleVersion,
  listArticleVersions,
  publishArticleCopy,
  restoreArticleVersion,
  saveArticleCopy,
} from '@tidings/contracts/desk/writing/article-writing'
import type { App } from '#http/app-type.ts'
import { htmlBodyLimit, registerDesk } from '../requests/register-desk.ts'
import type { TextVersions } from '../writing/text-versions.service.ts'
import type { ArticleWriting } from './article-writing.service.ts'

/** Registers working copies of articles and their versions. */
export function registerArticleWriting(
  app: App,
  { articleWriting, articleVersions }: { articleWriting: ArticleWriting; articleVersions: TextVersions },
): void {
  registerDesk(app, getArticleCopy, ({ params: { id } }) => articleWriting.read(id))

  registerDesk(
    app,
    saveArticleCopy,
    ({ requester, params: { id }, body, version }) => articleWriting.save(requester, id, body, version),
    { bodyLimit: htmlBodyLimit },
  )

  registerDesk(app, publishArticleCopy, ({ requester, params: { id }, version }) =>
    articleWriting.publish(requester, id, version),
  )

  registerDesk(app, discardArticleCopy, ({ requester, params: { id }, version }) =>
    articleWriting.discard(requester, id, version),
  )

  registerDesk(app, listArticleVersions, ({ params: { id }, query }) => articleVersions.list(id, query))

  registerDesk(app, getArticleVersion, ({ params: { id, version } }) => articleVersions.read(id, version))

  registerDesk(app, compareArticleVersions, ({ params: { id, version }, query }) =>
    articleVersions.compare(id, version, query.with),
  )

  registerDesk(app, restoreArticleVersion, ({ requester, params, version }) =>
    articleVersions.restore(requester, { textId: params.id, id: params.version, version }),
  )
}
