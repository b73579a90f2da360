import type { ErrorReply } from '@tidings/contracts/errors'
import { escapeHtml } from '#http/pages/site-config.ts'
import { type SmallPage, smallPage } from '#http/pages/small-page.ts'
import type { PopupSuccess } from './popups.service.ts'

/** What a popup tells the page that opened it. */
export type PopupResult = { data: PopupSuccess } | ErrorReply

// One message to each allowed origin of the page's host: the browser hands over none but the one that fits.
const tell = `
const { message, origins, untold } = JSON.parse(document.getElementById('data').textContent)
if (window.opener && origins.length > 0) {
  for (const origin of origins) window.opener.postMessage(message, origin)
  window.close()
} else if (untold) {
  document.querySelector('h1').textContent = untold.heading
  document.querySelector('h1 + p').textContent = untold.text
}
`

// A success that reached nobody is none.
const untoldSuccess = {
  heading: 'Please start again',
  text: 'The page that opened this window cannot be reached any more, so it does not know that this worked. Close this window, and start again there.',
}

/**
 * The last page of a popup: tells the page that opened it, and closes. Where there is nobody to tell it stays, and says
 * so to the eye.
 */
export function popupPage(siteName: string, result: PopupResult, origins: readonly string[]): SmallPage {
  const failed = 'error' in result
  return smallPage({
    siteName,
    title: failed ? 'That did not work' : 'Done',
    heading: failed ? 'That did not work' : 'Done',
    content: `${failed ? `<p>${escapeHtml(result.error.message)}</p>\n` : ''}<p>You can close this window.</p>`,
    script: { code: tell, data: { message: result, origins, ...(failed ? {} : { untold: untoldSuccess }) } },
  })
}
