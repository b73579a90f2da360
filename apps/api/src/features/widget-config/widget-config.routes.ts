import type { Member } from '@tidings/contracts/membership/members'
import {
  getApp,
  getAppMember,
  openApp,
  trackEvent,
  trackPageView,
} from '@tidings/contracts/membership/widget-config'
import type { FastifyRequest } from 'fastify'
import type { App } from '#http/app-type.ts'
import { register } from '#http/endpoints/register.ts'
import type { Authenticate } from '#http/membership/member-session.ts'
import { appOf } from '#http/membership/membership.ts'
import { hasCode } from '#platform/errors.ts'
import type { Ids } from '#platform/ids.ts'
import type { MemberService } from '../members/index.ts'
import type { WidgetConfigService } from './widget-config.service.ts'

type Deps = {
  widgetConfig: WidgetConfigService
  members: MemberService
  authenticate: Authenticate
  ids: Ids
}

const visitId = /^[\w-]{1,26}$/

/** Registers the routes of the app's configuration, alone or with the logged-in member. */
export function registerWidgetConfigRoutes(app: App, deps: Deps): void {
  const { widgetConfig, members, authenticate, ids } = deps

  async function findMember(request: FastifyRequest): Promise<Member | null> {
    const auth = await authenticate(request)
    if (typeof auth === 'string') return null
    return await members.get(appOf(request), auth.memberId).catch((error: unknown) => {
      if (hasCode(error, 'member-not-found')) return null
      throw error
    })
  }

  /** Returns the visit id that the client sent, or a new one. Visits are not stored. */
  function visitOf(request: FastifyRequest): { sessionId: string } {
    const sent = request.headers['x-session-id']
    return { sessionId: typeof sent === 'string' && visitId.test(sent) ? sent : ids.name() }
  }

  async function readBoth(request: FastifyRequest, includeSsoText: unknown) {
    const [config, member] = await Promise.all([
      widgetConfig.read(appOf(request), { withSsoText: isRequested(includeSsoText) }),
      findMember(request),
    ])
    return { data: { app: config, member, sessionData: visitOf(request) } }
  }

  register(app, getApp, async (request, reply) => {
    reply.header('Cache-Control', 'no-cache')
    const withSsoText = isRequested(request.query.includeSSOText)
    return { data: await widgetConfig.read(appOf(request), { withSsoText }) }
  })

  register(app, getAppMember, (request) => readBoth(request, request.query.includeSSOText))

  register(app, openApp, (request) => readBoth(request, request.body?.data?.includeSSOText))

  for (const ignored of [trackPageView, trackEvent]) {
    register(app, ignored, async (request) => ({
      data: { success: true as const, sessionData: visitOf(request) },
    }))
  }
}

/** Some clients send the text `undefined`, `null` or `false`. */
function isRequested(value: unknown): boolean {
  return value === true || (typeof value === 'string' && !['', 'undefined', 'null', 'false'].includes(value))
}
