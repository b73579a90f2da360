import * as contract from '@tidings/contracts/membership/members'
import { membershipPaths, paths } from '@tidings/contracts/paths'
import { z } from 'zod'
import type { App } from '#http/app-type.ts'
import { memberRoute, routeOptions } from '#http/endpoints/route-options.ts'
import { sessionOf } from '#http/membership/member-session.ts'
import { sendCached } from '#http/responses/cached-response.ts'
import type { FeedService } from './feeds.service.ts'

const formats = [
  { format: 'rss', name: 'RSS', path: paths.feedRss, memberPath: paths.memberFeedRss },
  { format: 'json', name: 'JSON Feed', path: paths.feedJson, memberPath: paths.memberFeedJson },
] as const

/** Registers the feeds themselves. */
export function registerFeedRoutes(app: App, { feeds }: { feeds: FeedService }): void {
  for (const { format, name, path, memberPath } of formats) {
    const reply = z.string().describe(`A document of ${name}`)
    app.get(
      path,
      routeOptions('gate', 'Feeds', `Summaries of the newest editions, as ${name}`, { reply }),
      async (request, response) => {
        await sendCached(request, response, await feeds.publicFeed(format))
        return response
      },
    )
    // The token in the address is the proof, because feed readers send neither cookies nor headers.
    app.get(
      memberPath,
      routeOptions('public', 'Feeds', `The newest editions for a member's feed reader, as ${name}`, {
        description: 'The address comes from `POST /member/feed`.',
        params: z.object({ token: z.string() }),
        reply,
      }),
      async (request, response) => {
        response.header('Referrer-Policy', 'no-referrer')
        await sendCached(request, response, await feeds.memberFeed(request.params.token, format))
        return response
      },
    )
  }
}

/** Registers how members get and end the private addresses of their feed. */
export function registerMemberFeedRoutes(
  app: App,
  { feeds, siteUrl }: { feeds: FeedService; siteUrl: URL },
): void {
  app.get(
    membershipPaths.memberFeed,
    memberRoute('members', 'Says since when the member has private feed addresses; null for none', {
      reply: contract.memberFeedReply,
    }),
    async (request) => {
      const feed = await feeds.find(sessionOf(request))
      return { data: feed === null ? null : { createdAt: feed.createdAt.toISOString() } }
    },
  )

  // The gate pass too, because the addresses open the editions without one.
  app.post(
    membershipPaths.memberFeed,
    routeOptions(['member', 'gate'], 'Membership: members', 'Creates or renews the private feed addresses', {
      description: 'Returns them once; earlier ones end.',
      reply: contract.newMemberFeedReply,
    }),
    async (request) => {
      const { token, createdAt } = await feeds.renew(sessionOf(request))
      const address = (path: string) => new URL(path.replace(':token', token), siteUrl).href
      return {
        data: {
          createdAt: createdAt.toISOString(),
          rss: address(paths.memberFeedRss),
          json: address(paths.memberFeedJson),
        },
      }
    },
  )

  app.delete(
    membershipPaths.memberFeed,
    memberRoute('members', 'Ends the private feed addresses; succeeds without any', {
      reply: contract.removedMemberFeedReply,
    }),
    async (request) => {
      await feeds.end(sessionOf(request))
      return { data: { success: true } } as const
    },
  )
}
