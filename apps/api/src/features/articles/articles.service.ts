import type { GatedArticle } from '@tidings/contracts/articles'
import type { LiveSession } from '#http/membership/member-session.ts'
import { fail as failMembership } from '#http/membership/membership.errors.ts'
import type { Database } from '#platform/database.ts'
import { AppError } from '#platform/errors.ts'
import type { MembershipApp, MembershipApps } from '#platform/membership-apps/membership-apps.ts'
import type { SecureContentService } from '../secure-content/index.ts'
import { type ArticleRow, findPublishedArticle, listPublishedTitles } from './articles.repository.ts'

type Deps = { database: Database; membershipApps: MembershipApps; secureContent: SecureContentService }

/** Gated articles as members of the site read them; members of other apps get `client/invalid-token`. */
export type ArticleService = {
  /** The titles are everybody's who is a member, whatever their plan. */
  titles(session: LiveSession): Promise<{ _id: string; title: string }[]>
  /** Throws `article-not-found`, or `access-denied` when the article's group is not open to the member. */
  article(id: string, session: LiveSession): Promise<GatedArticle>
}

export function createArticleService({ database, membershipApps, secureContent }: Deps): ArticleService {
  async function siteAppOf(session: LiveSession): Promise<MembershipApp> {
    const app = await membershipApps.siteApp()
    if (session.appId !== app.id) throw failMembership('client/invalid-token')
    return app
  }

  return {
    async titles(session) {
      await siteAppOf(session)
      const rows = await listPublishedTitles(database.db)
      return rows.map((row) => ({ _id: row.id, title: row.title }))
    },
    async article(id, session) {
      const app = await siteAppOf(session)
      const row = await findPublishedArticle(database.db, id)
      if (row === null) throw new ArticleNotFoundError()
      if (row.group !== null) await secureContent.requireAccess(app, session.memberId, row.group)
      return toWireArticle(row)
    },
  }
}

/** There is no such article, or none that the caller may see. */
export class ArticleNotFoundError extends AppError {
  constructor() {
    super('article-not-found', 404, 'There is no such article, or it was withdrawn.')
  }
}

function toWireArticle(row: ArticleRow): GatedArticle {
  return {
    _id: row.id,
    title: row.title,
    media: row.mediaFile ?? '',
    media_title: row.mediaTitle,
    memo_content: row.content,
  }
}
