import { escapeHtml } from '#http/pages/site-config.ts'
import { type SmallPage, smallPage } from '#http/pages/small-page.ts'
import { maskAddress } from '#platform/mask-address.ts'
import type { PopupQuery } from './popup-query.ts'

/** Returns the page that asks before a provider is connected to an account. `query` is sent again by its button. */
export function confirmConnectPage(
  siteName: string,
  { providerName, email }: { providerName: string; email: string },
  { connectPath, query }: { connectPath: string; query: PopupQuery },
): SmallPage {
  const provider = escapeHtml(providerName)
  const fields = Object.entries(query)
    .map(([name, value = '']) => `<input type="hidden" name="${name}" value="${escapeHtml(value)}">`)
    .join('\n')
  return smallPage({
    siteName,
    title: `Connect ${providerName}`,
    heading: `Connect ${providerName} to ${maskAddress(email)}?`,
    content: `<p>You can then log in to this account with ${provider}. Not your address? Close this window, and nothing changes.</p>
<form method="post" action="${connectPath}">
${fields}
<button type="submit">Connect ${provider}</button>
</form>`,
    sendsForm: true,
  })
}

/**
 * Returns the page that leads on to a provider. A redirect would be part of the form's submission, which the asking page's
 * `form-action` keeps on this site, wherever the provider itself redirects to.
 */
export function continuePage(siteName: string, url: URL): SmallPage {
  return smallPage({
    siteName,
    title: 'One moment',
    heading: 'One moment…',
    content: `<p><a href="${escapeHtml(url.href)}">Continue to ${escapeHtml(url.host)}</a></p>`,
    continueTo: url,
  })
}
