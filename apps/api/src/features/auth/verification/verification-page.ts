import { verifyEmail } from '@tidings/contracts/membership/routes'
import { paths } from '@tidings/contracts/paths'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { z } from 'zod'
import type { App } from '#http/app-type.ts'
import { toAppError } from '#http/errors/error-handler.ts'
import type { Authenticate, LiveSession } from '#http/membership/member-session.ts'
import { type PageSite, sendSmallPage } from '#http/site/small-page.ts'
import { hasCode } from '#platform/errors.ts'
import type { MembershipApp, MembershipApps } from '#platform/membership-apps/membership-apps.ts'
import { type Caller, callerOf } from '../caller.ts'
import type { VerificationService } from './verification.service.ts'
import {
  brokenLinkPage,
  confirmPage,
  type Done,
  donePage,
  endedPage,
  failurePage,
  type InvalidField,
  type Link,
  notLoggedIn,
} from './verification-pages.ts'

type Deps = {
  verification: VerificationService
  apps: MembershipApps
  site: PageSite
  authenticate: Authenticate
}

const linkQuery = z.object({
  app: z.string().max(100).default(''),
  email: z.string().max(1_000).default(''),
  code: z.string().max(100).default(''),
  signature: z.string().max(100).default(''),
})

const linkForm = linkQuery.extend({
  action: z.enum(['verify', 'decline', 'send']).default('verify'),
  password: z.string().max(2_000).optional(),
  newPassword: z.string().max(2_000).optional(),
})
type LinkForm = z.infer<typeof linkForm>

const passwordCodes = [
  'invalid-credentials',
  'required-field-missing',
  'invalid-password',
  'invalid-password-too-short',
  'too-many-requests',
] as const

/** Registers the page behind the link in a verification email. Mail scanners open links, so only its forms act. */
export function registerVerificationPage(app: App, deps: Deps): void {
  const { verification, apps, site, authenticate } = deps

  app.addContentTypeParser(
    'application/x-www-form-urlencoded',
    { parseAs: 'string' },
    (_request, body, done) => done(null, Object.fromEntries(new URLSearchParams(String(body)))),
  )

  const appOf = async (link: Link) => (await apps.directory()).byId.get(link.app)

  app.get(
    verifyEmail.path,
    { config: { access: 'public' }, schema: { hide: true, querystring: linkQuery } },
    async (request, reply) => {
      const link = request.query
      try {
        const membershipApp = await appOf(link)
        if (membershipApp === undefined || !isComplete(link)) return sendBroken(reply)
        const state = await verification.look(membershipApp, link)
        if (state === 'open' || state === 'unknown') return sendForms(reply, 200, link, membershipApp)
        return sendSmallPage(reply, state === 'confirmed' ? 200 : 410, endedPage(site, link, state))
      } catch (error) {
        return sendFailure(reply, link, error)
      }
    },
  )

  app.post(
    paths.verifyEmailByLink,
    { config: { access: 'public' }, schema: { hide: true, body: linkForm } },
    async (request, reply) => {
      const form = request.body
      try {
        const membershipApp = await appOf(form)
        if (membershipApp === undefined || !isComplete(form)) return sendBroken(reply)
        return await submit(request, reply, membershipApp, form)
      } catch (error) {
        return sendFailure(reply, form, error)
      }
    },
  )

  async function submit(
    request: FastifyRequest,
    reply: FastifyReply,
    membershipApp: MembershipApp,
    form: LinkForm,
  ): Promise<FastifyReply> {
    const auth = await authenticate(request)
    const session = typeof auth === 'string' ? null : auth
    try {
      const done = await act(verification, membershipApp, form, { session, caller: callerOf(request) })
      return sendSmallPage(reply, 200, donePage(site, done))
    } catch (error) {
      const failure = toAppError(error)
      reply.headers(failure.headers)
      if (hasCode(error, 'invalid-verification-code')) {
        const state = await verification.look(membershipApp, form)
        const page = endedPage(site, form, state === 'open' || state === 'unknown' ? 'expired' : state)
        return sendSmallPage(reply, state === 'confirmed' ? 200 : failure.status, page)
      }
      const invalid = invalidField(request, form, failure)
      if (invalid === null) throw error
      return sendForms(reply, failure.status, form, membershipApp, invalid)
    }
  }

  function sendForms(
    reply: FastifyReply,
    status: number,
    { app, email, code, signature }: Link,
    { publicKey }: MembershipApp,
    invalid?: InvalidField,
  ): FastifyReply {
    // The page's own URL carries the code, so no other page may see it.
    reply.header('Referrer-Policy', 'strict-origin')
    return sendSmallPage(
      reply,
      status,
      confirmPage(site, { app, email, code, signature }, { publicKey, invalid }),
    )
  }

  function sendBroken(reply: FastifyReply): FastifyReply {
    return sendSmallPage(reply, 404, brokenLinkPage(site))
  }

  function sendFailure(reply: FastifyReply, link: Link, error: unknown): FastifyReply {
    const failure = toAppError(error)
    if (failure.status >= 500) throw error
    if (hasCode(error, 'invalid-email')) return sendBroken(reply)
    reply.headers(failure.headers)
    return sendSmallPage(reply, failure.status, failurePage(site, failure.message, link))
  }
}

/** Does what the button of a form says. */
async function act(
  verification: VerificationService,
  membershipApp: MembershipApp,
  form: LinkForm,
  by: { session: LiveSession | null; caller: Caller },
): Promise<Done> {
  switch (form.action) {
    case 'verify':
      await verification.verify(membershipApp, form, by)
      if (form.newPassword !== undefined) return 'by new password'
      return form.password === undefined ? 'by session' : 'by password'
    case 'decline':
      await verification.decline(membershipApp, form, by.caller)
      return 'declined'
    case 'send':
      await verification.resend(membershipApp, form.email, by.caller)
      return 'sent'
  }
}

/** Returns the field that a failure of its form is about; null for another failure. */
function invalidField(request: FastifyRequest, form: LinkForm, failure: Error): InvalidField | null {
  if (form.action !== 'verify') return null
  if (hasCode(failure, 'client/invalid-token')) return { field: 'password', message: notLoggedIn }
  if (!hasCode(failure, ...passwordCodes)) return null
  const { message } = failure
  if (form.newPassword !== undefined) return { field: 'newPassword', message }
  if (form.password !== undefined || request.headers.authorization === undefined)
    return { field: 'password', message }
  return hasCode(failure, 'too-many-requests') ? null : { field: 'password', message: notLoggedIn }
}

/** Returns whether no part of a link was lost on its way. */
function isComplete({ email, code }: Link): boolean {
  return email !== '' && code !== ''
}
