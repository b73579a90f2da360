import { createHash } from 'node:crypto'
import { escapeHtml, palette } from '../http/html.ts'
import type { Attachment, Message } from './inbox.ts'
import { growFrame, renewList } from './inbox-scripts.ts'

/** The Content-Security-Policy of the inbox's pages. */
export const pagePolicy = [
  "default-src 'none'",
  "style-src 'unsafe-inline'",
  `script-src ${[renewList, growFrame].map((script) => `'${hashOf(script)}'`).join(' ')}`,
  "connect-src 'self'",
  'img-src data:',
  "frame-src 'self'",
  "form-action 'self'",
  "base-uri 'none'",
].join('; ')

/** Returns the list page, which renews its list of messages. `to` filters by recipient. */
export function listPage(messages: Message[], to: string | undefined): string {
  const rows = messages.map(
    (message) => `<li><a href="${linkTo(message)}">
  <span class="subject">${escapeHtml(titleOf(message))}</span>
  <span class="meta">${escapeHtml(message.to.join(', '))} · ${time(message.receivedAt)}${
    message.attachments.length > 0 ? ` · ${countOf(message.attachments.length, 'attachment')}` : ''
  }</span></a></li>`,
  )
  const nothing = to
    ? `<p class="empty">No messages for ${escapeHtml(to)} yet.</p>`
    : '<p class="empty">No messages yet. Every email and text of the site arrives here and never leaves this machine.</p>'
  return page(
    to ? `Inbox of ${to}` : 'Inbox',
    `<header><h1>Inbox</h1><p class="meta"><span id="count" data-renewed>${countOf(messages.length, 'message')}</span>${to ? ` for ${escapeHtml(to)}` : ''} · <a href="/identity">Sign-in emulator</a> · <a href="/stripe">Stripe emulator</a></p>
<form action="/inbox" role="search"><label for="to">Recipient</label>
<input id="to" name="to" autocapitalize="off" value="${escapeHtml(to ?? '')}" placeholder="name@example.com or +1…"><button>Show</button></form></header>
<div id="messages" data-renewed>${rows.length > 0 ? `<ul>${rows.join('\n')}</ul>` : nothing}</div>`,
    renewList,
  )
}

/** Returns the page of one message. */
export function messagePage(message: Message): string {
  const { id, subject, from, to, receivedAt, html, text, headers, attachments, envelopeFrom } = message
  const files = attachments.map(
    (file, index) =>
      `<li><a href="/inbox/view/${id}/attachments/${index}" download="${escapeHtml(file.filename)}">${escapeHtml(file.filename)}</a>
<span class="meta">${escapeHtml(file.contentType)} · ${sizeOf(file)}</span></li>`,
  )
  const headerLines = Object.entries(headers).map(([name, value]) => `${name}: ${value}`)
  return page(
    subject || '(no subject)',
    `<header><p><a href="/inbox">← Inbox</a></p><h1>${escapeHtml(subject || '(no subject)')}</h1>
<p class="meta">From ${escapeHtml(from)} to ${escapeHtml(to.join(', '))} · ${time(receivedAt)}</p></header>
${html ? `<iframe title="The email" src="/inbox/view/${id}/html" sandbox="allow-same-origin allow-popups allow-popups-to-escape-sandbox"></iframe>` : ''}
${files.length > 0 ? `<h2>Attachments</h2><ul class="files">${files.join('\n')}</ul>` : ''}
<details${html ? '' : ' open'}><summary>Text part</summary><pre>${escapeHtml(text || '(none)')}</pre></details>
<details><summary>Headers</summary><pre>${escapeHtml([`Return address: ${envelopeFrom}`, ...headerLines].join('\n'))}</pre></details>
<p><a href="/inbox/view/${id}/source">Source</a></p>`,
    growFrame,
  )
}

/** Returns the HTML part. Links open in a new tab, and attached images are resolved. */
export function mailBody({ id, html, attachments }: Message): string {
  const withPictures = html.replaceAll(/cid:([^"'\s>)]+)/gi, (whole, contentId: string) => {
    const index = attachments.findIndex((file) => file.contentId === decodeURIComponent(contentId))
    return index < 0 ? whole : `/inbox/view/${id}/attachments/${index}`
  })
  return `<base target="_blank" rel="noopener">${withPictures}`
}

export function notFoundPage(): string {
  return page(
    'Message not found',
    '<header><p><a href="/inbox">← Inbox</a></p><h1>Message not found</h1></header><p class="empty">The inbox was emptied or restarted.</p>',
  )
}

/** Returns a page of the inbox. */
export function page(title: string, body: string, script = '') {
  return `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escapeHtml(title)} · Tidings inbox</title><link rel="icon" href="data:,"><style>${styles}</style></head>
<body><main>${body}</main>${script === '' ? '' : `<script>${script}</script>`}</body></html>`
}

const styles = `
${palette}
body { margin: 0; background: var(--paper); color: var(--ink); font: 16px/1.5 Figtree, system-ui, sans-serif }
main { max-width: 46rem; margin: 0 auto; padding: 2rem 1rem 4rem }
h1 { font: 500 1.6rem/1.25 Newsreader, Georgia, serif; margin: 0 0 .25rem; overflow-wrap: anywhere }
h2 { font-size: 1rem; margin: 1.5rem 0 0 }
a { color: var(--accent) }
.meta { color: var(--quiet); font-size: .8125rem; margin: 0; overflow-wrap: anywhere }
form { display: flex; flex-wrap: wrap; gap: .5rem; align-items: center; margin: 1rem 0 1.5rem }
input, button { font: inherit; min-height: 2.75rem; box-sizing: border-box; padding: 0 .75rem; color: inherit;
  background: transparent; border: 1px solid var(--quiet); border-radius: .25rem }
input { flex: 1 1 12rem; min-width: 0 }
ul { list-style: none; margin: 0; padding: 0; border-top: 1px solid var(--rule) }
li { border-bottom: 1px solid var(--rule) }
li > a { display: block; padding: .75rem 0; text-decoration: none }
li > a:hover .subject { text-decoration: underline }
.files li { padding: .5rem 0 } .files li > a { display: inline; padding: 0; text-decoration: underline }
.subject { display: block; color: var(--ink); font: 1.125rem/1.4 Newsreader, Georgia, serif; overflow-wrap: anywhere }
.empty { color: var(--quiet); border-top: 1px solid var(--rule); padding-top: 1rem }
section.phone { max-width: 24rem; margin: 1rem auto; padding: 1rem; border: 1px solid var(--rule); border-radius: 1.5rem }
.phone form { margin: 1rem 0 0 }
.texts { border: 0 } .texts li { border: 0; margin: 0 0 .75rem; max-width: 85% }
.texts p { margin: 0; padding: .5rem .75rem; border: 1px solid var(--rule); border-radius: 1rem; white-space: pre-wrap; overflow-wrap: anywhere }
.texts .mine { margin-inline-start: auto } .mine p { background: var(--rule) }
iframe { display: block; width: 100%; height: 70vh; margin: 1rem 0; border: 1px solid var(--rule); background: #fff; box-sizing: border-box }
summary { cursor: pointer; padding: .75rem 0; border-top: 1px solid var(--rule) }
pre { white-space: pre-wrap; overflow-wrap: anywhere; font-size: .875rem; margin: 0 0 1rem }
`

/** Returns where a message is read: a text on the phone that received it. */
function linkTo({ kind, id, to: [number = ''] }: Message) {
  return kind === 'sms' ? `/inbox/phone/${encodeURIComponent(number)}` : `/inbox/view/${id}`
}

function titleOf({ kind, subject, text }: Message) {
  return kind === 'sms' ? text.slice(0, 160) : subject || '(no subject)'
}

function countOf(count: number, noun: string) {
  return `${count} ${noun}${count === 1 ? '' : 's'}`
}

function sizeOf({ size }: Attachment) {
  return size < 1_000 ? `${size} bytes` : `${Math.round(size / 1_000)} kB`
}

/** Returns an instant as HTML. */
export function time(iso: string): string {
  return `<time datetime="${iso}">${iso.slice(0, 10)} ${iso.slice(11, 19)} UTC</time>`
}

function hashOf(script: string) {
  return `sha256-${createHash('sha256').update(script).digest('base64')}`
}
