import { channelSocketQuery } from '@tidings/contracts/comments'
import type { FastifyRequest } from 'fastify'
import { fail as failGate, type GatePass } from '#http/gate-pass.ts'
import { fail as failMembership } from '#http/membership/membership.errors.ts'
import { networkOf } from '#http/rate-limits.ts'
import { AppError } from '#platform/errors.ts'
import type { MembershipApp, MembershipApps } from '#platform/membership-apps/membership-apps.ts'
import { roomOfChannel } from './channel-room.ts'
import type { Subscription } from './socket-hub.ts'

export type AdmissionDeps = {
  gatePass: GatePass
  /** Origins of the site's own pages. */
  origins: ReadonlySet<string>
  apps: MembershipApps
}

/** Decides what whoever opens the live feed gets to hear, or refuses by throwing. */
export type Admission = (request: FastifyRequest) => Promise<Subscription>

/**
 * Memos are for who has passed the gate and does not come by a page of another site, which must not listen with a
 * reader's cookie; a client that is no browser sends no Origin. A channel is also for the pages of its app.
 */
export function createAdmission({ gatePass, origins, apps }: AdmissionDeps): Admission {
  async function findApp(publicKey: string | undefined): Promise<MembershipApp> {
    const app = publicKey === undefined ? await apps.siteApp() : await apps.find({ publicKey })
    if (app === null) throw failMembership('app-not-found')
    return app
  }

  return async ({ headers: { cookie, origin }, query, ip }) => {
    const passed = gatePass.isPassed(cookie)
    const { data } = channelSocketQuery.safeParse(query)
    if (data?.channel === undefined) {
      if (!passed) throw failGate('gate-required')
      if (origin !== undefined && !origins.has(origin)) throw foreignOrigin()
      return { memos: true, room: null, network: networkOf(ip) }
    }
    const memos = passed && (origin === undefined || origins.has(origin))
    if (!passed && origin === undefined) throw failGate('gate-required')
    const app = await findApp(data.publicKey)
    if (!memos && !(origin !== undefined && app.origins.has(origin))) throw foreignOrigin()
    const room = roomOfChannel({ appId: app.id, channelKey: data.channel })
    return { memos, room, network: networkOf(ip) }
  }
}

function foreignOrigin(): AppError {
  return new AppError('origin-not-permitted', 403, 'Pages of this origin may not open the live feed.')
}
