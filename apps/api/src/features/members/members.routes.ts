import { Readable } from 'node:stream'
import {
  deleteMember,
  exportMember,
  getMember,
  getMemberJson,
  updateMember,
  updateMemberJson,
} from '@tidings/contracts/membership/members'
import type { FastifyReply } from 'fastify'
import type { App } from '#http/app-type.ts'
import { register } from '#http/endpoints/register.ts'
import { type Authenticate, type MemberAuth, sessionOf } from '#http/membership/member-session.ts'
import { appOf, withMessage } from '#http/membership/membership.ts'
import type { UploadSpool } from '#integrations/storage/upload-spool.ts'
import type { MembershipApp } from '#platform/membership-apps/membership-apps.ts'
import type { MemberService } from './members.service.ts'
import { registerProfileImageRoutes } from './profile-image.routes.ts'

type Deps = { members: MemberService; uploads: UploadSpool; authenticate: Authenticate }

const noMember = Buffer.from('{"data":null}')
const longestExportMs = 120_000

/** Registers the routes of the member's own record. */
export function registerMemberRoutes(app: App, { members, uploads, authenticate }: Deps): void {
  // NOTE: returns a cached member without a promise, which is measurably faster.
  register(app, getMember, (request, reply) => {
    const found = authenticate(request)
    const membershipApp = appOf(request)
    const sent =
      found instanceof Promise
        ? found.then((auth) => sendMember(reply, membershipApp, auth))
        : sendMember(reply, membershipApp, found)
    if (sent instanceof Promise) void sent.catch((error) => reply.send(error))
  })

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

  register(app, updateMember, async (request) => {
    const { memberId } = sessionOf(request)
    const fields = request.body?.customFields ?? {}
    const data = await members.updateCustomFields(appOf(request), memberId, fields)
    return withMessage(data, 'Your profile is saved.')
  })

  register(app, deleteMember, async (request) => {
    const { memberId } = sessionOf(request)
    await members.remove(appOf(request), memberId)
    return { data: { id: memberId } }
  })

  register(app, getMemberJson, async (request) => {
    return { data: (await members.get(appOf(request), sessionOf(request).memberId)).json }
  })

  register(app, updateMemberJson, async (request) => {
    return { data: await members.updateJson(sessionOf(request).memberId, request.body.json) }
  })

  register(app, exportMember, (request, reply) => {
    const chunks = members.export(appOf(request), sessionOf(request).memberId)
    // Without a time limit, a slow client would block all other exports.
    sendJson(reply, Readable.from(chunks, { signal: AbortSignal.timeout(longestExportMs) }))
  })

  registerProfileImageRoutes(app, { images: members.images, uploads })
}

function sendJson(reply: FastifyReply, json: Buffer | Readable): void {
  void reply.type('application/json; charset=utf-8').send(json)
}
