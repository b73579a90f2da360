import { createCommentService, createTyping } from '../features/comments/index.ts'
import { createLiveFeed, createSubscribers } from '../features/live-feed/index.ts'
import type { Infrastructure } from './infrastructure.ts'
import type { Membership } from './membership.ts'

/** Creates comments, typing and the live feed. */
export function createRealtime(deps: Infrastructure & Pick<Membership, 'apps'>) {
  const siteUrl = deps.config.site.url
  const subscribers = createSubscribers(deps.metrics)
  const typing = createTyping({ ...deps, siteUrl })
  const liveFeed = createLiveFeed({ ...deps, subscribers, typing })

  return { subscribers, typing, liveFeed, comments: createCommentService({ ...deps, siteUrl }) }
}
