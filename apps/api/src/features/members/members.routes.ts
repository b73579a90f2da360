import { Readable } from 'node:stream'
import * as contract from '@tidings/contracts/membership/members'
import { membershipPaths } from '@tidings/contracts/paths'
import type { FastifyReply } from 'fastify'
import type { App } from '#http/app-type.ts'
import { memberRoute, publicRoute, withMessage } from '#http/endpoints/route-options.ts'
import { type Authenticate, type MemberAuth, sessionOf } from '#http/membership/member-session.ts'
import { appOf } from '#http/membership/membership.ts'
import type { MembershipApp } from '#platform/membership-apps/membership-apps.ts'
import type { MemberService } from './members.service.ts'
import { registerProfileImageRoutes } from './profile-image.routes.ts'

type Deps = { members: MemberService; authenticate: Authenticate }

const noMember = Buffer.from('{"data":null}')
const longestExportMs = 120_000

/** Registers the routes of the member's own record. */
export function registerMemberRoutes(app: App, { members, authenticate }: Deps): void {
  // NOTE: returns a cached member without a promise, which is measurably faster.
  app.get(
    membershipPaths.member,
    publicRoute('members', 'Returns the logged-in member; null for visitors and expired sessions', {
      reply: contract.currentMemberReply,
    }),
    (request, reply) => {
      const found = authenticate(request)
      const membershipApp = appOf(request)
      const sent =
        found instanceof Promise
          ? found.then((auth) => sendMember(reply, membershipApp, auth))
          : sendMember(reply, membershipApp, found)
      if (sent instanceof Promise) void sent.catch((error) => reply.send(error))
    },
  )

  function sendMember(
    reply: FastifyReply,
    membershipApp: MembershipApp,
    auth: MemberAuth,
  ): void | Promise<void> {
    if (typeof auth === 'string') return sendJson(reply, noMember)
    const bytes = members.reply(membershipApp, auth.memberId)
    if (!(bytes instanceof Promise)) return sendJson(reply, bytes)
    return bytes.then((loaded) => sendJson(reply, loaded ?? noMember))
  }

  app.post(
    membershipPaths.member,
    memberRoute('members', 'Updates custom fields; ignores keys that the app does not define', {
      body: contract.updateMemberRequest.nullish(),
      reply: contract.memberWithMessageReply,
    }),
    async (request) => {
      const { memberId } = sessionOf(request)
      const fields = request.body?.customFields ?? {}
      const data = await members.updateCustomFields(appOf(request), memberId, fields)
      return withMessage(data, 'Your profile is saved.')
    },
  )

  app.delete(
    membershipPaths.member,
    memberRoute('members', 'Deletes the account and everything that belongs to it', {
      reply: contract.deletedMemberReply,
    }),
    async (request) => {
      const { memberId } = sessionOf(request)
      await members.remove(appOf(request), memberId)
      return { data: { id: memberId } }
    },
  )

  app.get(
    membershipPaths.memberJson,
    memberRoute('members', "Returns the member's own JSON", { reply: contract.memberJsonReply }),
    async (request) => {
      return { data: (await members.get(appOf(request), sessionOf(request).memberId)).json }
    },
  )

  app.post(
    membershipPaths.memberJson,
    memberRoute('members', "Replaces the member's own JSON", {
      body: contract.memberJsonRequest,
      reply: contract.memberJsonReply,
    }),
    async (request) => {
      return { data: await members.updateJson(sessionOf(request).memberId, request.body.json) }
    },
  )

  app.get(
    membershipPaths.memberExport,
    memberRoute('members', 'Returns everything stored about the member, as JSON', {
      reply: contract.memberExportReply,
    }),
    (request, reply) => {
      const chunks = members.export(appOf(request), sessionOf(request).memberId)
      // Without a time limit, a slow client would block all other exports.
      sendJson(reply, Readable.from(chunks, { signal: AbortSignal.timeout(longestExportMs) }))
    },
  )

  registerProfileImageRoutes(app, members)
}

function sendJson(reply: FastifyReply, json: Buffer | Readable): void {
  void reply.type('application/json; charset=utf-8').send(json)
}
