import { limits } from '@tidings/contracts/limits'
import { membershipPaths } from '@tidings/contracts/paths'
import type { FastifyReply } from 'fastify'
import { z } from 'zod'
import type { App } from '#http/app-type.ts'
import { toAppError } from '#http/error-handler.ts'
import { fail as failMembership } from '#http/membership/membership.errors.ts'
import { escapeHtml } from '#http/pages/site-config.ts'
import { type SmallPage, sendSmallPage, smallPage } from '#http/pages/small-page.ts'
import type { AppError } from '#platform/errors.ts'
import type { MembershipApp, MembershipApps } from '#platform/membership-apps/membership-apps.ts'
import { InvalidVerificationCodeError } from '../auth.errors.ts'
import { type Caller, callerOf } from '../caller.ts'
import type { VerificationService } from './verification.service.ts'

type Deps = { verification: VerificationService; membershipApps: MembershipApps; siteName: string }

const linkQuery = z.object({
  app: z.string().max(100).default(''),
  email: z.string().max(1_000).default(''),
  code: z.string().max(100).default(''),
})
type Link = z.infer<typeof linkQuery>

const linkForm = linkQuery.extend({
  action: z.enum(['verify', 'decline', 'send']).default('verify'),
  password: z.string().max(2_000).optional(),
  newPassword: z.string().max(2_000).optional(),
})
type LinkForm = z.infer<typeof linkForm>

/** What is wrong with a field, below which it is shown. */
type Fault = { field: 'password' | 'newPassword'; message: string }

const passwordCodes = new Set([
  'invalid-credentials',
  'required-field-missing',
  'invalid-password',
  'invalid-password-too-short',
])

/**
 * What the link in a verification email leads to. Mail scanners open links, so opening it only shows forms, and they
 * post.
 */
export function registerVerificationPage(app: App, deps: Deps): void {
  const { verification, membershipApps, siteName } = deps

  app.addContentTypeParser(
    'application/x-www-form-urlencoded',
    { parseAs: 'string' },
    (_request, body, done) => done(null, Object.fromEntries(new URLSearchParams(String(body)))),
  )

  app.get(
    membershipPaths.verifyEmail,
    { config: { access: 'public' }, schema: { hide: true, querystring: linkQuery } },
    (request, reply) => sendForms(reply, 200, request.query),
  )

  app.post(
    membershipPaths.verifyEmailByLink,
    { config: { access: 'public' }, schema: { hide: true, body: linkForm } },
    async (request, reply) => {
      const form = request.body
      try {
        const membershipApp = (await membershipApps.directory()).byId.get(form.app)
        if (membershipApp === undefined) throw failMembership('app-not-found')
        return sendSmallPage(reply, 200, endPage(siteName, await act(membershipApp, form, callerOf(request))))
      } catch (error) {
        const failure = toAppError(error)
        if (failure.status >= 500) throw error
        reply.headers(failure.headers)
        return sendFailure(reply, form, failure)
      }
    },
  )

  /** Does what the form asks for; returns how the page says that it is done. */
  async function act(membershipApp: MembershipApp, form: LinkForm, caller: Caller): Promise<Ending> {
    switch (form.action) {
      case 'verify':
        await verification.verify(membershipApp, form, { session: null, caller })
        return {
          heading: 'Your email address is verified.',
          text: 'Every other device is logged out. You can log in now.',
        }
      case 'decline':
        await verification.decline(membershipApp, form, caller)
        return {
          heading: 'Your address is no longer used here.',
          text: 'Thank you for telling us. There is nothing else to do.',
        }
      case 'send':
        await verification.resend(membershipApp, form.email, caller)
        return {
          heading: 'Check your email',
          text: 'If this address still has to be verified, a new email is on its way.',
        }
    }
  }

  function sendForms(reply: FastifyReply, status: number, link: Link, fault?: Fault): FastifyReply {
    // Tells no other page the address of this one, which carries the code.
    reply.header('Referrer-Policy', 'strict-origin')
    return sendSmallPage(reply, status, formsPage(siteName, link, fault))
  }

  function sendFailure(reply: FastifyReply, form: LinkForm, failure: AppError): FastifyReply {
    const { status, message, code } = failure
    if (failure instanceof InvalidVerificationCodeError) {
      return sendSmallPage(reply, status, expiredPage(siteName, form))
    }
    if (form.action === 'verify' && passwordCodes.has(code)) {
      const field = form.newPassword === undefined ? 'password' : 'newPassword'
      return sendForms(reply, status, form, { field, message })
    }
    return sendSmallPage(reply, status, endPage(siteName, { heading: 'That did not work', text: message }))
  }
}

type Ending = { heading: string; text: string }

function formsPage(siteName: string, link: Link, fault: Fault | undefined): SmallPage {
  const isOpen = fault?.field === 'newPassword' ? ' open' : ''
  return smallPage({
    siteName,
    title: 'Verify your email',
    heading: 'Verify your email address',
    content: `<p>${escapeHtml(link.email)}</p>
${form(link, 'verify', `${passwordField('password', 'Your password', 'current-password', fault)}\n<button>Verify</button>`)}
<details${isOpen}>
<summary>I have no password, or forgot it</summary>
${form(link, 'verify', `${passwordField('newPassword', 'New password', 'new-password', fault)}\n<button>Set password and verify</button>`)}
</details>
<details>
<summary>I didn’t sign up</summary>
<p>Someone used your address, perhaps by mistake. You can take it away from their account. This can’t be undone.</p>
${form(link, 'decline', '<button class="quiet">Remove my address</button>')}
</details>`,
    sendsForm: true,
  })
}

function passwordField(
  name: Fault['field'],
  label: string,
  autocomplete: string,
  fault: Fault | undefined,
): string {
  const message = fault?.field === name ? fault.message : null
  const hint =
    name === 'newPassword'
      ? `At least ${limits.passwordCharacters.min} characters.`
      : 'The password of your account.'
  const invalid = message === null ? '' : ' aria-invalid="true" autofocus'
  return `<label for="${name}">${label}</label>
<input id="${name}" name="${name}" type="password" autocomplete="${autocomplete}" required aria-describedby="${name}-hint"${invalid}>
<p id="${name}-hint"${message === null ? '' : ' class="error" role="alert"'}>${escapeHtml(message ?? hint)}</p>`
}

// Many press twice. Whether the address is verified is not for an old link to tell.
function expiredPage(siteName: string, link: Link): SmallPage {
  return smallPage({
    siteName,
    title: 'Link expired',
    heading: 'This link has expired',
    content: `<p>It is too old, incomplete, or was used already. If you have verified your address before, there is nothing to do.</p>
${form(link, 'send', '<button>Send a new email</button>')}`,
    sendsForm: true,
  })
}

function endPage(siteName: string, { heading, text }: Ending): SmallPage {
  const name = escapeHtml(siteName)
  const content = `<p>${escapeHtml(text)}</p>\n<p><a href="/">Go to ${name}</a></p>`
  return smallPage({ siteName, title: heading, heading, content })
}

function form({ app, email, code }: Link, action: LinkForm['action'], content: string): string {
  const fields = Object.entries({ app, email, code, action })
    .map(([name, value]) => `<input type="hidden" name="${name}" value="${escapeHtml(value)}">`)
    .join('\n')
  return `<form method="post" action="${membershipPaths.verifyEmailByLink}">\n${fields}\n${content}\n</form>`
}
