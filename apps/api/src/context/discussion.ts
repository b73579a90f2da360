import { createCommentService, createTyping } from '../features/comments/index.ts'
import { createLiveFeed, createSocketHub } from '../features/live-feed/index.ts'
import type { Ground } from './ground.ts'
import type { Membership } from './membership.ts'

/** What members say to each other, and what reaches everybody's page at once. */
export function createDiscussion(on: Ground & Pick<Membership, 'membershipApps'>) {
  const siteUrl = on.config.site.url
  const socketHub = createSocketHub(on.metrics)
  const typing = createTyping({ ...on, apps: on.membershipApps, siteUrl })
  const liveFeed = createLiveFeed({ ...on, hub: socketHub, typing })

  liveFeed.handleJobs()
  liveFeed.listen()

  return { socketHub, typing, liveFeed, comments: createCommentService({ ...on, siteUrl }) }
}
