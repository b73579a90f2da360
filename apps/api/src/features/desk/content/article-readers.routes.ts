import { getArticleReaders, openToPlans } from '@tidings/contracts/desk/content/article-readers'
import type { App } from '#http/app-type.ts'
import { registerDesk } from '../requests/register-desk.ts'
import type { ArticleReadersDesk } from './article-readers.service.ts'

/** Registers who may read articles, and the groups of chosen plans. */
export function registerArticleReaders(app: App, desk: ArticleReadersDesk): void {
  registerDesk(app, getArticleReaders, () => desk.read())

  registerDesk(app, openToPlans, ({ requester, body }) => desk.openToPlans(requester, body.plans))
}
