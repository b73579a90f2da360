import { escapeHtml } from '../../../http/site-config.ts'
import { type SmallPage, smallPage } from '../../../http/small-page.ts'

/** What a popup tells the page that opened it. */
export type PopupResult = { data: unknown } | { error: { code: string; message: string } }

// One message to each allowed origin of the page's host: the browser hands over none but the one that fits.
const tell = `
const { message, origins } = JSON.parse(document.getElementById('data').textContent)
if (window.opener) {
  for (const origin of origins) window.opener.postMessage(message, origin)
  window.close()
}
`

/** The last page of a popup: tells the page that opened it, and closes. What is left when it cannot is for the eye. */
export function popupPage(siteName: string, result: PopupResult, origins: readonly string[]): SmallPage {
  const failed = 'error' in result
  return smallPage({
    siteName,
    title: failed ? 'That did not work' : 'Done',
    heading: failed ? 'That did not work' : 'Done',
    content: `<p>${failed ? `${escapeHtml(result.error.message)} ` : ''}You can close this window.</p>`,
    script: { code: tell, data: { message: result, origins } },
  })
}
