import { membershipPaths } from '@tidings/contracts/paths'
import { z } from 'zod'
import type { App } from '../../../http/app-type.ts'
import { toAppError } from '../../../http/error-handler.ts'
import { AppNotFoundError } from '../../../http/membership/membership.ts'
import { escapeHtml } from '../../../http/pages/site-config.ts'
import { type SmallPage, sendSmallPage, smallPage } from '../../../http/pages/small-page.ts'
import type { MembershipApps } from '../../../platform/membership-apps/membership-apps.ts'
import { InvalidVerificationCodeError } from '../auth.errors.ts'
import type { VerificationService } from './verification.service.ts'

type Deps = { verification: VerificationService; membershipApps: MembershipApps; siteName: string }

const linkQuery = z.object({
  app: z.string().max(100).default(''),
  email: z.string().max(1_000).default(''),
  code: z.string().max(100).default(''),
})

// Many press twice. Whether the address is verified is not for whoever has an old link to learn.
const overText =
  'This link is not right, it is too old, or it was used already. If you have confirmed your address before, ' +
  'there is nothing to do. Otherwise please ask for a new code.'

/**
 * What the link in a verification mail leads to. Mail scanners open links, so opening it shows a button, and only the
 * button verifies.
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
    (request, reply) => {
      // The form's page tells nobody its address, which carries the code, but must say where it comes from.
      reply.header('Referrer-Policy', 'strict-origin')
      return sendSmallPage(reply, 200, askPage(siteName, request.query))
    },
  )

  app.post(
    membershipPaths.verifyEmailByLink,
    { config: { access: 'public' }, schema: { hide: true, body: linkQuery } },
    async (request, reply) => {
      const { app: appId, ...link } = request.body
      try {
        const membershipApp = (await membershipApps.directory()).byId.get(appId)
        if (membershipApp === undefined) throw new AppNotFoundError()
        await verification.verify(membershipApp, link, request.ip)
        return sendSmallPage(reply, 200, donePage(siteName))
      } catch (error) {
        const failure = toAppError(error)
        if (failure.status >= 500) throw error
        reply.headers(failure.headers)
        const says = failure instanceof InvalidVerificationCodeError ? overText : failure.message
        return sendSmallPage(reply, failure.status, failedPage(siteName, says))
      }
    },
  )
}

function askPage(siteName: string, link: z.infer<typeof linkQuery>): SmallPage {
  const fields = Object.entries(link)
    .map(([name, value]) => `<input type="hidden" name="${name}" value="${escapeHtml(value)}">`)
    .join('\n')
  return smallPage({
    siteName,
    title: 'Verify your email',
    heading: 'Is this your email address?',
    content: `<p>${escapeHtml(link.email)}</p>
<form method="post" action="${membershipPaths.verifyEmailByLink}">
${fields}
<button type="submit">Yes, verify it</button>
</form>`,
    sendsForm: true,
  })
}

function donePage(siteName: string): SmallPage {
  return smallPage({
    siteName,
    title: 'Email verified',
    heading: 'Thank you. Your email address is verified.',
    content: `<p><a href="/">Go to ${escapeHtml(siteName)}</a></p>`,
  })
}

function failedPage(siteName: string, message: string): SmallPage {
  return smallPage({
    siteName,
    title: 'That did not work',
    heading: 'That did not work',
    content: `<p>${escapeHtml(message)}</p>\n<p><a href="/">Go to ${escapeHtml(siteName)}</a></p>`,
  })
}
