import { parseEditionKey } from '@tidings/contracts/edition-key'
import { fail as failMembership } from '#http/membership/membership.errors.ts'
import { fail as failGate } from '#http/sessions/gate-pass.ts'
import type { Database } from '#platform/database.ts'
import type { ArticleService } from '../articles/index.ts'
import { fail as failEdition, findEdition } from '../editions/index.ts'
import type { Viewer } from './stored/visible-comments.repository.ts'

/** The facts that decide whether a channel is open: the viewer without the comments and votes of others. */
export type Requester = Pick<Viewer, 'appId' | 'memberId' | 'hasGatePass'>

type Deps = { database: Database; articles: ArticleService; siteAppId: string }

export type ChannelAccess = ReturnType<typeof createChannelAccess>

// In any case, because Postgres finds an article by its id in any case.
const articleChannel = /^article:([\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12})$/i
const editionPrefix = 'edition:'

/**
 * Decides who may use a channel. In the site's own app, `article:{id}` is as open as the article, and `edition:{key}` is
 * open while the edition is published. All other channels are public.
 */
export function createChannelAccess({ database, articles, siteAppId }: Deps) {
  function articleOf(appId: string, channelKey: string): string | null {
    return appId === siteAppId ? (articleChannel.exec(channelKey)?.[1] ?? null) : null
  }

  return {
    /** Returns whether the channel is an article's, whose access can end at any time. */
    isArticle: (appId: string, channelKey: string): boolean => articleOf(appId, channelKey) !== null,

    /** Throws the error of a request for the article or the edition. */
    async require({ appId, memberId, hasGatePass }: Requester, channelKey: string): Promise<void> {
      const articleId = articleOf(appId, channelKey)
      if (articleId !== null) {
        if (!hasGatePass) throw failGate('gate-required')
        if (memberId === null) throw failMembership('login-required')
        await articles.requireAccess(articleId, { appId, memberId })
      } else if (appId === siteAppId && channelKey.startsWith(editionPrefix)) {
        const id = parseEditionKey(channelKey.slice(editionPrefix.length))
        const edition = id === null ? null : await findEdition(database.db, id)
        if (id !== null && edition?.status !== 'published') throw failEdition('edition-not-found')
      }
    },
  }
}
