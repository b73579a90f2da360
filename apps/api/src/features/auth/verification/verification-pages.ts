import { limits } from '@tidings/contracts/limits'
import { verifyEmail } from '@tidings/contracts/membership/routes'
import { paths } from '@tidings/contracts/paths'
import { type PageSite, type SmallPage, smallPage } from '#http/site/small-page.ts'
import { type Html, html } from '#platform/html/html.ts'
import type { LinkState } from './verification.service.ts'
import { verificationScript } from './verification-script.ts'

/** The contents of a link. */
export type Link = { app: string; email: string; code: string; signature: string }

/** An action of the page's forms. */
export type LinkAction = 'verify' | 'decline' | 'send'

/** The field that a page asks for again, and why. */
export type InvalidField = { field: 'password' | 'newPassword'; message: string }

/** The result of a form. */
export type Done = 'by session' | 'by password' | 'by new password' | 'declined' | 'sent'

/** Asks for the password, because the browser's session is no longer the account's. */
export const notLoggedIn = 'You’re not logged in to this account here. Enter its password.'

const screens = { dashboard: '/#/account/dashboard', login: '/#/account/login' }
const confirmed = 'Your email address is confirmed'

const doneTexts: Readonly<Record<Done, { heading: string; text: string; link: [string, string] | null }>> = {
  'by session': {
    heading: confirmed,
    text: 'Editions can now come to you by email.',
    link: ['Continue', screens.dashboard],
  },
  'by password': {
    heading: confirmed,
    text: 'You’re still logged in wherever you were, and your password stays the same. You can close this page.',
    link: ['Log in here', screens.login],
  },
  'by new password': {
    heading: confirmed,
    text: 'Your new password is set. Everyone who was logged in to this account has been logged out.',
    link: ['Log in', screens.login],
  },
  declined: {
    heading: 'Your address has been removed',
    text: 'Thanks for letting us know. There’s nothing else to do.',
    link: null,
  },
  sent: {
    heading: 'Check your email',
    text: `If this address still needs to be confirmed, we’ve sent a new email. Its link works for ${limits.shortCodeMinutes} minutes.`,
    link: null,
  },
}

/** Returns the page of a valid link: a button for the browser's session, shown by the script, and the password. */
export function confirmPage(
  site: PageSite,
  link: Link,
  { publicKey, invalid }: { publicKey: string; invalid?: InvalidField | undefined },
): SmallPage {
  const isOpen = invalid?.field === 'newPassword'
  const verify = (content: Html, attributes?: Html) => form(link, 'verify', content, attributes)
  return smallPage({
    site,
    title: 'Confirm your email',
    heading: 'Confirm your email address',
    content: html`<p class="address">${breakableAddress(link.email)}</p>
${verify(html`<button>Confirm</button>\n<p role="status"></p>`, html` id="by-session" hidden`)}
<div id="by-password">
${verify(html`${passwordField('password', 'Your password', 'current-password', invalid)}\n<button>Confirm</button>`)}
<details${isOpen && ' open'}>
<summary>I don’t know this password</summary>
<p>Set a new one. To be safe, we log out everyone who is logged in to this account.</p>
${verify(html`${passwordField('newPassword', 'New password', 'new-password', invalid)}\n<button class="quiet">Set password and confirm</button>`)}
</details>
</div>
<details>
<summary>I didn’t sign up</summary>
<p>Someone used your address, perhaps by mistake. You can remove it from their account. This can’t be undone.</p>
${form(link, 'decline', html`<button class="quiet">Remove my address</button>`)}
</details>`,
    sendsForm: true,
    script: {
      code: verificationScript,
      data: { email: link.email, appId: link.app, publicKey },
      sendsRequests: true,
    },
  })
}

/** Returns an address as HTML; one that is wider than the page breaks before its domain. */
function breakableAddress(email: string): Html {
  const at = email.lastIndexOf('@')
  return at < 0 ? html`${email}` : html`${email.slice(0, at)}<wbr>${email.slice(at)}`
}

/** Returns the page with the result of a form. */
export function donePage(site: PageSite, done: Done): SmallPage {
  const { heading, text, link } = doneTexts[done]
  return messagePage(site, { heading, text, link })
}

/** Returns the page of a link that doesn't work any more, and why. */
export function endedPage(
  site: PageSite,
  link: Link,
  state: Exclude<LinkState, 'open' | 'unknown'>,
): SmallPage {
  switch (state) {
    case 'confirmed':
      return messagePage(site, {
        heading: 'Your email address is already confirmed',
        text: 'You’re all set: there’s nothing else to do.',
        link: ['Continue', screens.dashboard],
      })
    case 'ended':
      return messagePage(site, {
        heading: 'This address is no longer in use',
        text: 'The account of this link has another address now, or was deleted. To confirm another address, open the link in the email to it.',
        link: null,
      })
    case 'replaced':
      return sendAgainPage(site, link, {
        heading: 'We’ve sent you a newer link',
        text: 'Only the link in the newest email works. Didn’t get it? Look in your spam folder, or get another one.',
      })
    case 'expired':
      return sendAgainPage(site, link, {
        heading: 'This link has expired',
        text: `Links work for ${limits.shortCodeMinutes} minutes, and once. If you’ve already confirmed your address, you’re all set.`,
      })
  }
}

/** Returns the page of a link that lacks a part, as some mail programs break long ones. */
export function brokenLinkPage(site: PageSite): SmallPage {
  return messagePage(site, {
    heading: 'This link is incomplete',
    text: 'Open it again from the email, or log in and enter the code from the email there.',
    link: ['Log in', screens.login],
  })
}

/** Returns the page of a failure that has nothing to do with the link. */
export function failurePage(site: PageSite, text: string, link: Link): SmallPage {
  const { app, email, code, signature } = link
  const address = `${verifyEmail.path}?${new URLSearchParams({ app, email, code, signature })}`
  return messagePage(site, { heading: 'That didn’t work', text, link: ['Go back to the link', address] })
}

function sendAgainPage(site: PageSite, link: Link, { heading, text }: Record<'heading' | 'text', string>) {
  return smallPage({
    site,
    title: heading,
    heading,
    content: html`<p>${text}</p>\n${form(link, 'send', html`<button>Send a new email</button>`)}`,
    sendsForm: true,
  })
}

function messagePage(
  site: PageSite,
  { heading, text, link }: { heading: string; text: string; link: [string, string] | null },
): SmallPage {
  const home = html`<p><a href="/">Go to ${site.name}</a></p>`
  const next = link === null ? home : html`<a class="button" href="${link[1]}">${link[0]}</a>`
  return smallPage({ site, title: heading, heading, content: html`<p>${text}</p>\n${next}` })
}

function passwordField(
  name: InvalidField['field'],
  label: string,
  autocomplete: string,
  invalid: InvalidField | undefined,
): Html {
  const message = invalid?.field === name ? invalid.message : null
  const hint =
    name === 'newPassword'
      ? `Use at least ${limits.passwordCharacters.min} characters.`
      : 'The one you chose when you signed up.'
  const state = message !== null && html` aria-invalid="true" autofocus`
  return html`<label for="${name}">${label}</label>
<span class="with-action"><input id="${name}" name="${name}" type="password" autocomplete="${autocomplete}" required autocapitalize="none" spellcheck="false" enterkeyhint="go" aria-describedby="${name}-hint"${state}></span>
<p id="${name}-hint"${message !== null && html` class="error" role="alert"`}>${message ?? hint}</p>`
}

function form(
  { app, email, code, signature }: Link,
  action: LinkAction,
  content: Html,
  attributes?: Html,
): Html {
  const fields = Object.entries({ app, email, code, signature, action }).map(
    ([name, value]) => html`<input type="hidden" name="${name}" value="${value}">\n`,
  )
  return html`<form method="post" action="${paths.verifyEmailByLink}"${attributes}>\n${fields}${content}\n</form>`
}
