import { limits } from '@tidings/contracts/limits'
import { membershipPaths } from '@tidings/contracts/paths'
import type { FastifyReply } from 'fastify'
import { z } from 'zod'
import type { App } from '#http/app-type.ts'
import { toAppError } from '#http/error-handler.ts'
import { fail as failMembership } from '#http/membership/membership.errors.ts'
import { escapeHtml } from '#http/pages/site-config.ts'
import { type PageSite, type SmallPage, sendSmallPage, smallPage } from '#http/pages/small-page.ts'
import { type AppError, hasCode } from '#platform/errors.ts'
import type { MembershipApp, MembershipApps } from '#platform/membership-apps/membership-apps.ts'
import { type Caller, callerOf } from '../caller.ts'
import type { VerificationService } from './verification.service.ts'

type Deps = { verification: VerificationService; apps: MembershipApps; site: PageSite }

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

type InvalidField = { field: 'password' | 'newPassword'; message: string }

const passwordCodes = [
  'invalid-credentials',
  'required-field-missing',
  'invalid-password',
  'invalid-password-too-short',
] as const

const doneTexts = {
  verify: {
    heading: 'Your email address is verified',
    text: 'We logged you out on all devices. You can log in now.',
  },
  decline: { heading: 'Your address has been removed', text: 'Thanks for letting us know. You’re all set.' },
  send: {
    heading: 'Check your email',
    text: 'If this address still needs to be verified, we’ve sent a new email.',
  },
}

/** Registers the page behind the link in a verification email. Mail scanners open links, so only its forms act. */
export function registerVerificationPage(app: App, deps: Deps): void {
  const { verification, apps, site } = deps

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
        const membershipApp = (await apps.directory()).byId.get(form.app)
        if (membershipApp === undefined) throw failMembership('app-not-found')
        await submit(membershipApp, form, callerOf(request))
        return sendSmallPage(reply, 200, messagePage(site, doneTexts[form.action]))
      } catch (error) {
        const failure = toAppError(error)
        if (failure.status >= 500) throw error
        return sendFailure(reply.headers(failure.headers), form, failure)
      }
    },
  )

  async function submit(membershipApp: MembershipApp, form: LinkForm, caller: Caller): Promise<void> {
    switch (form.action) {
      case 'verify':
        return await verification.verify(membershipApp, form, { session: null, caller })
      case 'decline':
        return await verification.decline(membershipApp, form, caller)
      case 'send':
        return await verification.resend(membershipApp, form.email, caller)
    }
  }

  function sendForms(reply: FastifyReply, status: number, link: Link, invalid?: InvalidField): FastifyReply {
    // The page's own URL carries the code, so no other page may see it.
    reply.header('Referrer-Policy', 'strict-origin')
    return sendSmallPage(reply, status, formsPage(site, link, invalid))
  }

  function sendFailure(reply: FastifyReply, form: LinkForm, failure: AppError): FastifyReply {
    const { status, message } = failure
    if (hasCode(failure, 'invalid-verification-code')) {
      return sendSmallPage(reply, status, expiredPage(site, form))
    }
    if (form.action === 'verify' && hasCode(failure, ...passwordCodes)) {
      const field = form.newPassword === undefined ? 'password' : 'newPassword'
      return sendForms(reply, status, form, { field, message })
    }
    const page = messagePage(site, { heading: 'Something went wrong', text: message })
    return sendSmallPage(reply, status, page)
  }
}

function formsPage(site: PageSite, link: Link, invalid: InvalidField | undefined): SmallPage {
  const isOpen = invalid?.field === 'newPassword' ? ' open' : ''
  return smallPage({
    site,
    title: 'Verify your email',
    heading: 'Verify your email address',
    content: `<p>${escapeHtml(link.email)}</p>
${form(link, 'verify', `${passwordField('password', 'Your password', 'current-password', invalid)}\n<button>Verify</button>`)}
<details${isOpen}>
<summary>I don’t have a password or forgot it</summary>
${form(link, 'verify', `${passwordField('newPassword', 'New password', 'new-password', invalid)}\n<button>Set password and verify</button>`)}
</details>
<details>
<summary>I didn’t sign up</summary>
<p>Someone used your address, perhaps by mistake. You can remove it from their account. This can’t be undone.</p>
${form(link, 'decline', '<button class="quiet">Remove my address</button>')}
</details>`,
    sendsForm: true,
  })
}

function passwordField(
  name: InvalidField['field'],
  label: string,
  autocomplete: string,
  invalid: InvalidField | undefined,
): string {
  const message = invalid?.field === name ? invalid.message : null
  const hint =
    name === 'newPassword'
      ? `Use at least ${limits.passwordCharacters.min} characters.`
      : 'Enter your account’s password.'
  const state = message === null ? '' : ' aria-invalid="true" autofocus'
  return `<label for="${name}">${label}</label>
<input id="${name}" name="${name}" type="password" autocomplete="${autocomplete}" required aria-describedby="${name}-hint"${state}>
<p id="${name}-hint"${message === null ? '' : ' class="error" role="alert"'}>${escapeHtml(message ?? hint)}</p>`
}

// Also shown after a second click, and must not reveal whether the address is verified.
function expiredPage(site: PageSite, link: Link): SmallPage {
  return smallPage({
    site,
    title: 'Link expired',
    heading: 'This link has expired',
    content: `<p>It may be too old, incomplete or already used. If you have verified your address, you’re all set.</p>
${form(link, 'send', '<button>Send a new email</button>')}`,
    sendsForm: true,
  })
}

function messagePage(site: PageSite, { heading, text }: { heading: string; text: string }): SmallPage {
  const name = escapeHtml(site.name)
  const content = `<p>${escapeHtml(text)}</p>\n<p><a href="/">Go to ${name}</a></p>`
  return smallPage({ site, title: heading, heading, content })
}

function form({ app, email, code }: Link, action: LinkForm['action'], content: string): string {
  const fields = Object.entries({ app, email, code, action })
    .map(([name, value]) => `<input type="hidden" name="${name}" value="${escapeHtml(value)}">`)
    .join('\n')
  return `<form method="post" action="${membershipPaths.verifyEmailByLink}">\n${fields}\n${content}\n</form>`
}
