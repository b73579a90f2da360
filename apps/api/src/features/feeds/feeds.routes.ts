import { urlOf } from '@tidings/contracts/endpoint'
import { feedJson, feedRss, memberFeedJson, memberFeedRss } from '@tidings/contracts/feeds'
import { endMemberFeed, getMemberFeed, renewMemberFeed } from '@tidings/contracts/membership/member-feed'
import type { App } from '#http/app-type.ts'
import { register } from '#http/endpoints/register.ts'
import { sessionOf } from '#http/membership/member-session.ts'
import { sendCached } from '#http/responses/cached-response.ts'
import type { FeedService } from './feeds.service.ts'

const formats = [
  { format: 'rss', feed: feedRss, memberFeed: memberFeedRss },
  { format: 'json', feed: feedJson, memberFeed: memberFeedJson },
] as const

/** Registers the feeds themselves. */
export function registerFeedRoutes(app: App, { feeds }: { feeds: FeedService }): void {
  for (const { format, feed, memberFeed } of formats) {
    register(app, feed, async (request, response) => {
      await sendCached(request, response, await feeds.publicFeed(format))
      return response
    })
    // The token in the address is the proof, because feed readers send neither cookies nor headers.
    register(app, memberFeed, async (request, response) => {
      response.header('Referrer-Policy', 'no-referrer')
      await sendCached(request, response, await feeds.memberFeed(request.params.token, format))
      return response
    })
  }
}

/** Registers how members get and end the private addresses of their feed. */
export function registerMemberFeedRoutes(
  app: App,
  { feeds, siteUrl }: { feeds: FeedService; siteUrl: URL },
): void {
  register(app, getMemberFeed, async (request) => {
    const feed = await feeds.find(sessionOf(request))
    return { data: feed === null ? null : { createdAt: feed.createdAt.toISOString() } }
  })

  // The gate pass too, because the addresses open the editions without one.
  register(app, renewMemberFeed, async (request) => {
    const { token, createdAt } = await feeds.renew(sessionOf(request))
    const address = (feed: typeof memberFeedRss | typeof memberFeedJson) =>
      new URL(urlOf(feed, { params: { token } }), siteUrl).href
    return {
      data: {
        createdAt: createdAt.toISOString(),
        rss: address(memberFeedRss),
        json: address(memberFeedJson),
      },
    }
  })

  register(app, endMemberFeed, async (request) => {
    await feeds.end(sessionOf(request))
    return { data: { success: true } } as const
  })
}
