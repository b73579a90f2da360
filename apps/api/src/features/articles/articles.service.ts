import type { GatedArticle } from '@tidings/contracts/articles'
import type { LiveSession } from '#http/membership/member-session.ts'
import { fail as failMembership } from '#http/membership/membership.errors.ts'
import type { MembershipApp } from '#platform/membership-apps/membership-apps.ts'
import type { PlatformDeps } from '#platform/membership-apps/platform-deps.ts'
import type { SecureContentService } from '../secure-content/index.ts'
import { fail } from './articles.errors.ts'
import { toWireArticle, toWireTitle } from './articles.mapper.ts'
import {
  type ArticleRow,
  findPublishedArticle,
  findPublishedRule,
  listPublishedTitles,
} from './articles.repository.ts'

/** A member by their session. */
type Reader = Pick<LiveSession, 'memberId' | 'appId'>

type Deps = Pick<PlatformDeps, 'database' | 'apps'> & { secureContent: SecureContentService }

export type ArticleService = ReturnType<typeof createArticleService>

/** Serves gated articles to members of the site's app. Members of other apps get `client/invalid-token`. */
export function createArticleService({ database, apps, secureContent }: Deps) {
  async function siteAppOf(session: Reader): Promise<MembershipApp> {
    const app = await apps.siteApp()
    if (session.appId !== app.id) throw failMembership('client/invalid-token')
    return app
  }

  async function requireOpen<Row extends Pick<ArticleRow, 'group'>>(
    reader: Reader,
    row: Row | null,
  ): Promise<Row> {
    const app = await siteAppOf(reader)
    if (row === null) throw fail('article-not-found')
    if (row.group !== null) await secureContent.requireAccess(app, reader.memberId, row.group)
    return row
  }

  return {
    /** Lists the titles, which every member may see whatever their plan. */
    async titles(session: LiveSession): Promise<ReturnType<typeof toWireTitle>[]> {
      await siteAppOf(session)
      return (await listPublishedTitles(database.db)).map(toWireTitle)
    },
    /** Throws `article-not-found`, or `access-denied` if the member's plans do not open the article's group. */
    async article(id: string, session: LiveSession): Promise<GatedArticle> {
      return toWireArticle(await requireOpen(session, await findPublishedArticle(database.db, id)))
    },
    /** Throws as `article` does, without reading the content. */
    async requireAccess(id: string, reader: Reader): Promise<void> {
      await requireOpen(reader, await findPublishedRule(database.db, id))
    },
    /** Lists the ids of the content groups whose articles the member may read, beside those without a group. */
    async openGroupIds(session: LiveSession): Promise<string[]> {
      return await secureContent.openGroupIds(await siteAppOf(session), session.memberId)
    },
  }
}
