import { channelSocketQuery } from '@tidings/contracts/comments'
import type { FastifyRequest } from 'fastify'
import { fail as failGate, type GatePass } from '#http/gate-pass.ts'
import { fail as failMembership } from '#http/membership/membership.errors.ts'
import { networkOf } from '#http/rate-limits.ts'
import type { MembershipApp, MembershipApps } from '#platform/membership-apps/membership-apps.ts'
import { fail } from './live-feed.errors.ts'
import { roomOfChannel, type Subscription } from './subscribers.ts'

export type AuthorizationDeps = {
  gatePass: GatePass
  origins: ReadonlySet<string>
  apps: MembershipApps
}

/**
 * Returns the check of a handshake, which throws or returns the subscription. NEW_MEMO needs a gate pass and no foreign
 * origin; a client that is no browser sends none. A channel is also open to pages of its app.
 */
export function createSocketAuthorization({ gatePass, origins, apps }: AuthorizationDeps) {
  async function findApp(publicKey: string | undefined): Promise<MembershipApp> {
    const app = publicKey === undefined ? await apps.siteApp() : await apps.find({ publicKey })
    if (app === null) throw failMembership('app-not-found')
    return app
  }

  return async function authorize({ headers, query, ip }: FastifyRequest): Promise<Subscription> {
    const { cookie, origin } = headers
    const passed = gatePass.isPassed(cookie)
    const isOwnPage = origin === undefined || origins.has(origin)
    const network = networkOf(ip)
    const { data } = channelSocketQuery.safeParse(query)
    if (!passed && (data?.channel === undefined || origin === undefined)) throw failGate('gate-required')
    if (data?.channel === undefined) {
      if (!isOwnPage) throw fail('origin-not-permitted')
      return { memos: true, room: null, network }
    }
    const app = await findApp(data.publicKey)
    const memos = passed && isOwnPage
    if (!memos && !(origin !== undefined && app.origins.has(origin))) throw fail('origin-not-permitted')
    return { memos, room: roomOfChannel({ appId: app.id, channelKey: data.channel }), network }
  }
}
