import type { ErrorReply } from '@tidings/contracts/errors'
import type { PopupQuery } from '@tidings/contracts/membership/popups'
import { type PageSite, type SmallPage, smallPage } from '#http/site/small-page.ts'
import { html } from '#platform/html/html.ts'
import { maskAddress } from '#platform/text/email-address.ts'
import type { PopupSuccess } from './popups.service.ts'

/** The message from a popup to the page that opened it. */
export type PopupResult = { data: PopupSuccess } | ErrorReply

// One message for each allowed origin of the opener's host: the browser delivers only the one that matches.
const postResult = `
const { message, origins, undelivered } = JSON.parse(document.getElementById('data').textContent)
if (window.opener && origins.length > 0) {
  for (const origin of origins) window.opener.postMessage(message, origin)
  window.close()
} else if (undelivered) {
  document.querySelector('h1').textContent = undelivered.heading
  document.querySelector('h1 + p').textContent = undelivered.text
}
`

// A popup without its opener cannot log in a member.
const undelivered = {
  heading: 'You’re not logged in yet',
  text: 'We couldn’t reach the page that opened this window, so it doesn’t know that you logged in. Close this window and try again there.',
}

/** Returns the last page of a popup, which posts its result to the opener and closes, or else shows it. */
export function resultPage(site: PageSite, result: PopupResult, origins: readonly string[]): SmallPage {
  const failed = 'error' in result
  const title = failed ? 'That didn’t work' : 'You’re all set'
  return smallPage({
    site,
    isPopup: true,
    title,
    heading: title,
    content: html`${failed && html`<p>${result.error.message}</p>\n`}<p>You can close this window.</p>`,
    script: { code: postResult, data: { message: result, origins, ...(failed ? {} : { undelivered }) } },
  })
}

/** Returns the page that asks before a provider is connected to an account. Its button submits `query` again. */
export function confirmConnectPage(
  site: PageSite,
  { providerName, email }: { providerName: string; email: string },
  { connectPath, query }: { connectPath: string; query: PopupQuery },
): SmallPage {
  const fields = Object.entries(query).map(
    ([name, value]) => html`<input type="hidden" name="${name}" value="${value}">\n`,
  )
  return smallPage({
    site,
    isPopup: true,
    title: `Connect ${providerName}`,
    heading: `Connect ${providerName} to ${maskAddress(email)}?`,
    content: html`<p>You can then log in to this account with ${providerName}. Not your account? Close this window, and nothing changes.</p>
<form method="post" action="${connectPath}">
${fields}<button type="submit">Connect ${providerName}</button>
</form>`,
    sendsForm: true,
  })
}

/** Returns the page that continues to a provider; a form's redirect would violate its `form-action`. */
export function continuePage(site: PageSite, url: URL): SmallPage {
  return smallPage({
    site,
    isPopup: true,
    title: 'One moment',
    heading: 'One moment…',
    content: html`<p><a href="${url.href}">Continue to ${url.host}</a></p>`,
    continueTo: url,
  })
}
