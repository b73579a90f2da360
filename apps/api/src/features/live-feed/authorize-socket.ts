import { channelSocketQuery } from '@tidings/contracts/membership/comments'
import type { FastifyRequest } from 'fastify'
import type { MemberAuth } from '#http/membership/member-session.ts'
import { fail as failMembership } from '#http/membership/membership.errors.ts'
import { fail as failGate, type GatePass } from '#http/sessions/gate-pass.ts'
import type { MembershipApp, MembershipApps } from '#platform/membership-apps/membership-apps.ts'
import type { ChannelAccess } from '../comments/index.ts'
import { fail } from './live-feed.errors.ts'
import { roomOfChannel, type Subscription } from './subscribers.ts'

export type AuthorizationDeps = {
  gatePass: GatePass
  origins: ReadonlySet<string>
  apps: MembershipApps
  channelAccess: ChannelAccess
  sessions: { authenticateToken(token: string, appId: string): Promise<MemberAuth> }
}

// A browser can send a token with a handshake only as a subprotocol, beside one that the server accepts.
const tokenProtocol = /(?:^|,)\s*bearer\.([\w.-]+)\s*(?:,|$)/

/**
 * Returns the check of a handshake, which throws or returns the subscription. NEW_MEMO needs a gate pass and no foreign
 * origin; a client that is no browser sends none. A channel is also open to pages of its app, and an article's channel
 * to those who may read the article.
 */
export function createSocketAuthorization(deps: AuthorizationDeps) {
  const { gatePass, origins, apps, channelAccess, sessions } = deps

  async function memberOf(token: string | undefined, appId: string): Promise<string | null> {
    if (token === undefined) return null
    const auth = await sessions.authenticateToken(token, appId)
    if (auth === 'none' || auth === 'invalid') throw failMembership('client/invalid-token')
    return auth.memberId
  }

  async function findApp(publicKey: string | undefined): Promise<MembershipApp> {
    const app = publicKey === undefined ? await apps.siteApp() : await apps.find({ publicKey })
    if (app === null) throw failMembership('app-not-found')
    return app
  }

  return async function authorize({ headers, query, ip }: FastifyRequest): Promise<Subscription> {
    const { cookie, origin } = headers
    const passed = gatePass.isPassed(cookie)
    const isOwnPage = origin === undefined || origins.has(origin)
    const { data } = channelSocketQuery.safeParse(query)
    if (!passed && (data?.channel === undefined || origin === undefined)) throw failGate('gate-required')
    if (data?.channel === undefined) {
      if (!isOwnPage) throw fail('origin-not-permitted')
      return { memos: true, room: null, address: ip }
    }
    const app = await findApp(data.publicKey)
    const { id: appId } = app
    const memos = passed && isOwnPage
    if (!memos && !(origin !== undefined && app.origins.has(origin))) throw fail('origin-not-permitted')
    const { channel: channelKey } = data
    const token = tokenProtocol.exec(headers['sec-websocket-protocol'] ?? '')?.[1]
    async function requireAccess(): Promise<void> {
      const [memberId, hasGatePass] = [await memberOf(token, appId), gatePass.isPassed(cookie)]
      await channelAccess.require({ appId, memberId, hasGatePass }, channelKey)
    }
    await requireAccess()
    const room = roomOfChannel({ appId, channelKey })
    return { memos, room, address: ip, ...(channelAccess.isArticle(appId, channelKey) && { requireAccess }) }
  }
}
