import { Readable } from 'node:stream'
import multipart from '@fastify/multipart'
import { limits } from '@tidings/contracts/limits'
import {
  currentMemberReply,
  deletedMemberReply,
  memberExportReply,
  memberJsonReply,
  memberJsonRequest,
  memberWithMessageReply,
  profileImageReply,
  updateMemberRequest,
} from '@tidings/contracts/members'
import { membershipPaths, paths } from '@tidings/contracts/paths'
import type { FastifyReply } from 'fastify'
import { z } from 'zod'
import type { App } from '#http/app-type.ts'
import { letPast } from '#http/let-past.ts'
import { type Authenticate, type MemberAuth, sessionOf } from '#http/membership/member-session.ts'
import { appOf } from '#http/membership/membership.ts'
import type { MembershipApp } from '#platform/membership-apps/membership-apps.ts'
import { sendPicture, widthQuery, wishOf } from '../media/index.ts'
import type { MemberService } from './members.service.ts'
import { readProfileImage } from './profile-image/profile-image-upload.ts'

type Deps = { members: MemberService; authenticate: Authenticate }

const nobody = Buffer.from('{"data":null}')
const longestExportMs = 120_000
const tags = ['Membership: members']

/** The member's own record. */
export function registerMemberRoutes(app: App, { members, authenticate }: Deps): void {
  app.get(
    membershipPaths.member,
    {
      config: { access: 'public' },
      schema: {
        tags,
        summary: 'The member of the session; null for visitors and ended sessions',
        response: { 200: currentMemberReply },
      },
    },
    (request, reply) => {
      const proof = authenticate(request)
      const membershipApp = appOf(request)
      if (proof instanceof Promise) {
        void proof
          .then((found) => sendMember(reply, membershipApp, found))
          .catch((error) => reply.send(error))
      } else {
        const sent = sendMember(reply, membershipApp, proof)
        if (sent instanceof Promise) void sent.catch((error) => reply.send(error))
      }
    },
  )

  function sendMember(
    reply: FastifyReply,
    membershipApp: MembershipApp,
    proof: MemberAuth,
  ): void | Promise<void> {
    if (typeof proof === 'string') return sendJson(reply, nobody)
    const bytes = members.reply(membershipApp, proof.memberId)
    if (!(bytes instanceof Promise)) return sendJson(reply, bytes)
    return bytes.then((loaded) => sendJson(reply, loaded ?? nobody))
  }

  app.post(
    membershipPaths.member,
    {
      config: { access: 'member' },
      schema: {
        tags,
        summary: 'Changes custom fields; keys that the app does not define are ignored',
        body: updateMemberRequest.nullish(),
        response: { 200: memberWithMessageReply },
      },
    },
    async (request) => {
      const { memberId } = sessionOf(request)
      const fields = request.body?.customFields ?? {}
      const data = await members.updateCustomFields(appOf(request), memberId, fields)
      return { data, _internalUseOnly: { message: 'Your profile has been updated.' } }
    },
  )

  app.delete(
    membershipPaths.member,
    {
      config: { access: 'member' },
      schema: {
        tags,
        summary: 'Deletes the account and everything that belongs to it',
        response: { 200: deletedMemberReply },
      },
    },
    async (request) => {
      const { memberId } = sessionOf(request)
      await members.remove(appOf(request), memberId)
      return { data: { id: memberId } }
    },
  )

  app.get(
    membershipPaths.memberJson,
    {
      config: { access: 'member' },
      schema: { tags, summary: "The member's own JSON", response: { 200: memberJsonReply } },
    },
    async (request) => {
      return { data: (await members.get(appOf(request), sessionOf(request).memberId)).json }
    },
  )

  app.post(
    membershipPaths.memberJson,
    {
      config: { access: 'member' },
      schema: {
        tags,
        summary: "Replaces the member's own JSON",
        body: memberJsonRequest,
        response: { 200: memberJsonReply },
      },
    },
    async (request) => {
      return { data: await members.updateJson(sessionOf(request).memberId, request.body.json) }
    },
  )

  app.get(
    membershipPaths.memberExport,
    {
      config: { access: 'member' },
      schema: {
        tags,
        summary: 'Everything that is kept about the member, as JSON',
        response: { 200: memberExportReply },
      },
    },
    (request, reply) => {
      const pieces = members.export(appOf(request), sessionOf(request).memberId)
      // A client that reads too slowly would keep others waiting.
      sendJson(reply, Readable.from(pieces, { signal: AbortSignal.timeout(longestExportMs) }))
    },
  )

  app.register(async (scope: App) => {
    await scope.register(multipart, {
      limits: { fileSize: limits.imageBytes, files: 1, fields: 10, parts: 11 },
    })
    registerProfileImageRoutes(scope, members)
  })
}

function registerProfileImageRoutes(app: App, members: MemberService): void {
  app.post(
    membershipPaths.profileImage,
    {
      config: { access: 'member' },
      schema: {
        tags,
        summary: 'Sets the profile image: multipart, field `profileImage`, at most 4,000,000 bytes',
        consumes: ['multipart/form-data'],
        response: { 200: profileImageReply },
      },
    },
    async (request) => {
      const { memberId } = sessionOf(request)
      const profileImage = await members.images
        .set({ memberId, ip: request.ip }, () => readProfileImage(request))
        .catch(async (error: unknown) => {
          await letPast(request)
          throw error
        })
      return { data: { profileImage }, _internalUseOnly: { message: 'Your profile image has been updated.' } }
    },
  )

  app.delete(
    membershipPaths.profileImage,
    {
      config: { access: 'member' },
      schema: { tags, summary: 'Removes the profile image', response: { 200: profileImageReply } },
    },
    async (request) => {
      await members.images.remove(sessionOf(request).memberId)
      return {
        data: { profileImage: null },
        _internalUseOnly: { message: 'Your profile image has been removed.' },
      }
    },
  )
}

/** Profile images, for any page that has the address: outside the gate, and of no app. */
export function registerProfileImageFiles(app: App, { members }: Pick<Deps, 'members'>): void {
  app.get(
    paths.profileImage,
    {
      config: { access: 'public' },
      schema: {
        tags: ['Pictures'],
        summary: 'A profile image',
        params: z.object({ file: z.string() }),
        querystring: widthQuery,
      },
    },
    async (request, reply) => {
      const wish = wishOf(request, 'profile', request.params.file, request.query.w)
      const picture = await members.images.open(wish)
      reply.headers({ 'Access-Control-Allow-Origin': '*', 'Cross-Origin-Resource-Policy': 'cross-origin' })
      return sendPicture(request, reply, wish, picture)
    },
  )
}

function sendJson(reply: FastifyReply, json: Buffer | Readable): void {
  void reply.type('application/json; charset=utf-8').send(json)
}
