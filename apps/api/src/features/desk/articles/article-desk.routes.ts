import {
  changeArticle,
  createArticle,
  deleteArticle,
  getArticle,
  listDeskArticles,
  publishArticle,
} from '@tidings/contracts/desk/articles'
import type { App } from '#http/app-type.ts'
import { htmlBodyLimit, registerDesk } from '../requests/register-desk.ts'
import type { ArticleDesk } from './article-desk.service.ts'

export function registerArticleDesk(app: App, desk: ArticleDesk): void {
  registerDesk(app, listDeskArticles, ({ query }) => desk.list(query))

  registerDesk(app, createArticle, ({ requester, body }) => desk.create(requester, body), {
    bodyLimit: htmlBodyLimit,
  })

  registerDesk(app, getArticle, ({ params: { id } }) => desk.read(id))

  registerDesk(
    app,
    changeArticle,
    ({ requester, params: { id }, body, version }) => desk.change(requester, id, body, version),
    { bodyLimit: htmlBodyLimit },
  )

  registerDesk(app, publishArticle, ({ requester, params: { id } }) => desk.publish(requester, id))

  registerDesk(app, deleteArticle, ({ requester, params: { id }, version }) =>
    desk.remove(requester, id, version),
  )
}
