import { escapeHtml } from '../http/html.ts'
import { page, time } from '../inbox/inbox-page.ts'
import { renewList } from '../inbox/inbox-scripts.ts'
import type { Sms } from './accounts.ts'

/** Returns the page of a phone: its conversation with the site, and a field to reply. */
export function phonePage(number: string, siteNumber: string, conversation: readonly Sms[]): string {
  const bubbles = conversation.map(
    ({ direction, body, createdAt }) =>
      `<li class="${direction === 'inbound' ? 'mine' : 'theirs'}"><p dir="auto">${linked(body)}</p><span class="meta">${time(createdAt.toISOString())}</span></li>`,
  )
  return page(
    `Phone ${number}`,
    `<header><p><a href="/inbox">← Inbox</a></p><h1>Phone ${escapeHtml(number)}</h1>
<p class="meta">Texts with ${escapeHtml(siteNumber)}</p></header>
<section class="phone" aria-label="Texts"><div id="texts" data-renewed>${
      bubbles.length > 0 ? `<ul class="texts">${bubbles.join('\n')}</ul>` : '<p>No texts yet.</p>'
    }</div>
<form method="post" action="/inbox/phone/${encodeURIComponent(number)}"><label for="body">Reply</label>
<input id="body" name="body" required maxlength="1600" autocomplete="off"><button>Send</button></form></section>`,
    renewList,
  )
}

function linked(body: string): string {
  return escapeHtml(body).replaceAll(
    /https?:\/\/[^\s<]+/g,
    (url) => `<a href="${url}" target="_blank" rel="noopener">${url}</a>`,
  )
}
