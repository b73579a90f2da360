import type { Member } from '@tidings/contracts/members'
import { membershipPaths } from '@tidings/contracts/paths'
import {
  appMemberReply,
  appMemberRequest,
  appQuery,
  appReply,
  pageViewReply,
} from '@tidings/contracts/widget-config'
import type { FastifyRequest } from 'fastify'
import type { App } from '#http/app-type.ts'
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

const tags = ['Membership: app']
const visitId = /^[\w-]{1,26}$/

/** The app's configuration, alone or with the member of the session. */
export function registerWidgetConfigRoutes(app: App, deps: Deps): void {
  const { widgetConfig, members, authenticate, ids } = deps

  async function findMember(request: FastifyRequest): Promise<Member | null> {
    const proof = await authenticate(request)
    if (typeof proof === 'string') return null
    return await members.get(appOf(request), proof.memberId).catch((error: unknown) => {
      if (hasCode(error, 'member-not-found')) return null
      throw error
    })
  }

  /** Clients name their visit; who does not is given a name. Nothing is kept under it. */
  function visitOf(request: FastifyRequest): { sessionId: string } {
    const given = request.headers['x-session-id']
    return { sessionId: typeof given === 'string' && visitId.test(given) ? given : ids.name() }
  }

  app.get(
    membershipPaths.app,
    {
      config: { access: 'public' },
      schema: {
        tags,
        summary: "The app's configuration",
        querystring: appQuery,
        response: { 200: appReply },
      },
    },
    async (request, reply) => {
      reply.header('Cache-Control', 'no-cache')
      return { data: await widgetConfig.read(appOf(request), isWanted(request.query.includeSSOText)) }
    },
  )

  app.get(
    membershipPaths.appMember,
    {
      config: { access: 'public' },
      schema: {
        tags,
        summary: "The app's configuration and the member of the session",
        querystring: appQuery,
        response: { 200: appMemberReply },
      },
    },
    (request) => both(request, isWanted(request.query.includeSSOText)),
  )

  app.post(
    membershipPaths.appMember,
    {
      config: { access: 'public' },
      schema: {
        tags,
        summary: 'The same, asked for as current clients do',
        body: appMemberRequest.nullish(),
        response: { 200: appMemberReply },
      },
    },
    (request) => both(request, isWanted(request.body?.data?.includeSSOText)),
  )

  async function both(request: FastifyRequest, withSsoText: boolean) {
    const [config, member] = await Promise.all([
      widgetConfig.read(appOf(request), withSsoText),
      findMember(request),
    ])
    return { data: { app: config, member, sessionData: visitOf(request) } }
  }

  for (const url of [membershipPaths.pageView, membershipPaths.event]) {
    app.post(
      url,
      {
        config: { access: 'public' },
        schema: { tags, summary: 'Taken, and not kept', response: { 200: pageViewReply } },
      },
      async (request) => {
        return { data: { success: true as const, sessionData: visitOf(request) } }
      },
    )
  }
}

/** Some clients send the text of a value that they do not have. */
function isWanted(value: unknown): boolean {
  return value === true || (typeof value === 'string' && !['', 'undefined', 'null', 'false'].includes(value))
}
