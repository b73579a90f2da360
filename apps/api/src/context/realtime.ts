import { createChannelAccess, createCommentService, createTyping } from '../features/comments/index.ts'
import { announce } from '../features/desk/index.ts'
import { createLiveFeed, createSubscribers } from '../features/live-feed/index.ts'
import type { Infrastructure } from './infrastructure.ts'
import type { Membership } from './membership.ts'

/** Creates comments, typing and the live feed. */
export function createRealtime(deps: Infrastructure & Pick<Membership, 'apps' | 'articles'>) {
  const { url: siteUrl, appId: siteAppId, language: siteLanguage } = deps.config.site
  const channelAccess = createChannelAccess({ ...deps, siteAppId })
  const subscribers = createSubscribers(deps.metrics)
  const typing = createTyping({ ...deps, channelAccess, siteUrl })
  const liveFeed = createLiveFeed({ ...deps, subscribers, typing })

  return {
    channelAccess,
    subscribers,
    typing,
    liveFeed,
    comments: createCommentService({
      ...deps,
      channelAccess,
      siteUrl,
      siteLanguage,
      announceComment: (db, comment, change) => announce(db, { type: 'comment', comment, change }),
    }),
  }
}
