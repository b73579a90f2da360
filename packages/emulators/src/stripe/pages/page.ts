import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { readForms } from '../../http/forms.ts'
import { escapeHtml, palette, sendPage } from '../../http/html.ts'
import { apiErrorOf, type OnFailure } from '../protocol/errors.ts'
import type { PriceRecord } from '../resources/products/price.ts'
import type { AccountStore } from '../store/create-store.ts'

/** Returns a page. `body` is HTML. */
export function page(title: string, body: string): string {
  return `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escapeHtml(title)} · Stripe emulator</title><link rel="icon" href="data:,"><style>${styles}</style></head>
<body><main><p class="mark">Stripe emulator: no money moves</p>
${body}</main></body></html>`
}

/** Returns a page without a form. `paragraphs` and `links` are HTML. */
export function noticePage(title: string, paragraphs: string[], links: string[] = []): string {
  const told = paragraphs.map((text) => `<p class="lead">${text}</p>`).join('\n')
  const onward = links.length > 0 ? `<p class="links">${links.join('\n')}</p>` : ''
  return page(title, `<h1>${escapeHtml(title)}</h1>${told}${onward}`)
}

/**
 * Sends a page. `targets` are the final redirects of its forms, because browsers apply `form-action` to redirects
 * too.
 */
export function sendStripePage(
  reply: FastifyReply,
  html: string,
  targets: (string | null | undefined)[] = [],
): FastifyReply {
  const origins = targets.flatMap((target) => URL.parse(target ?? '')?.origin ?? [])
  const allowed = ["'self'", ...new Set(origins)].join(' ')
  const policy = `default-src 'none'; style-src 'unsafe-inline'; img-src data:; form-action ${allowed}; base-uri 'none'; frame-ancestors 'none'`
  return sendPage(
    reply.header('cache-control', 'no-store').header('referrer-policy', 'no-referrer'),
    html,
    policy,
  )
}

/** Returns an error message that screen readers announce. */
export function problemLine(problem: string | undefined): string {
  return problem ? `<p class="problem" id="problem" role="alert">${escapeHtml(problem)}</p>` : ''
}

export function link(href: string, text: string): string {
  return `<a href="${escapeHtml(href)}">${escapeHtml(text)}</a>`
}

/** Returns rows of names and values. The values are HTML. */
export function rows(entries: (readonly [name: string, value: string])[]): string {
  const lines = entries.map(([name, value]) => `<div><dt>${escapeHtml(name)}</dt><dd>${value}</dd></div>`)
  return `<dl>${lines.join('\n')}</dl>`
}

/** Formats an amount in minor units: `$9.00`, `¥500`, `−$1.80`. */
export function formatMoney(amount: number, currency: string): string {
  const format = new Intl.NumberFormat('en-US', { style: 'currency', currency })
  const digits = format.resolvedOptions().maximumFractionDigits ?? 2
  return format.format(amount / 10 ** digits).replace('-', '−')
}

/** Formats a price: `$9.00 every month`, `$24.00 every 3 months`, or `$5.00` for a one-time price. */
export function formatPrice({ unitAmount, currency, recurring }: PriceRecord): string {
  const money = formatMoney(unitAmount, currency)
  return recurring ? `${money} ${formatInterval(recurring)}` : money
}

/** Formats an interval: `every month`, `every 3 months`. */
export function formatInterval({ interval, intervalCount }: NonNullable<PriceRecord['recurring']>): string {
  return intervalCount === 1 ? `every ${interval}` : `every ${intervalCount} ${interval}s`
}

const dateFormat = new Intl.DateTimeFormat('en-GB', { dateStyle: 'long', timeZone: 'UTC' })

/** Formats seconds since 1970 as a day: `21 November 2026`. */
export function formatDay(seconds: number): string {
  return dateFormat.format(seconds * 1_000)
}

const timeFormat = new Intl.DateTimeFormat('en-GB', {
  dateStyle: 'medium',
  timeStyle: 'short',
  timeZone: 'UTC',
})

/** Formats seconds since 1970 as a time: `21 Nov 2026, 06:43 UTC`. */
export function formatTime(seconds: number): string {
  return `${timeFormat.format(seconds * 1_000)} UTC`
}

const styles = `
${palette}
* { box-sizing: border-box }
body { margin: 0; background: var(--paper); color: var(--ink); font: 16px/1.5 Figtree, system-ui, sans-serif }
main { max-width: 27rem; margin: 0 auto; padding: 1.25rem 1.25rem 2.5rem }
h1 { font: 500 1.5rem/1.25 Newsreader, Georgia, serif; margin: 0 0 .375rem; overflow-wrap: anywhere }
h2 { font: 500 1.125rem/1.4 Newsreader, Georgia, serif; margin: 1.5rem 0 .25rem }
h3 { font: 600 1rem/1.5 Figtree, system-ui, sans-serif; margin: 0; overflow-wrap: anywhere }
p { margin: 0 0 .75rem; overflow-wrap: anywhere }
a { color: var(--accent) }
.mark { display: inline-block; margin: 0 0 .75rem; padding: 0 .5rem; color: var(--accent); border: 1px solid var(--accent); border-radius: .25rem; font-size: .8125rem; font-weight: 600 }
.lead, .note { color: var(--quiet); font-size: .9375rem }
.note { font-size: .8125rem; margin: .25rem 0 0 }
.status { margin: 0 0 1rem; padding: .625rem .75rem; border: 1px solid var(--rule); border-radius: .25rem; font-weight: 600 }
.problem { margin: .75rem 0; color: var(--accent); font-weight: 600 }
dl { margin: .75rem 0; border-top: 1px solid var(--rule) }
dl > div { display: flex; gap: 1rem; justify-content: space-between; align-items: baseline; padding: .5rem 0; border-bottom: 1px solid var(--rule) }
dt { min-width: 0; overflow-wrap: anywhere }
dt a { display: inline-flex; align-items: center; min-height: 2.75rem }
dd { flex: none; max-width: 65%; margin: 0; text-align: right; font-variant-numeric: tabular-nums }
label { display: block; margin: .75rem 0 .125rem; font-size: .9375rem; color: var(--quiet) }
input:not([type=radio], [type=hidden]), select { display: block; width: 100%; min-height: 3rem; padding: 0 .75rem; font: inherit; color: inherit;
  background: transparent; border: 1px solid var(--quiet); border-radius: .25rem }
select { background: var(--paper) }
input[name=card] { font-variant-numeric: tabular-nums; letter-spacing: .05em }
input[aria-invalid=true] { border: 2px solid var(--accent) }
.inline { display: flex; gap: .5rem }
.inline input { flex: 1; min-width: 0 }
.inline button { flex: none; width: auto; margin: 0 }
button, .button { display: flex; align-items: center; justify-content: center; width: 100%; min-height: 3rem; margin: .75rem 0 0; padding: .5rem 1rem; font: inherit; font-weight: 600; line-height: 1.5;
  text-align: center; text-decoration: none; color: var(--paper); background: var(--ink); border: 1px solid var(--ink); border-radius: .25rem; cursor: pointer }
button.quiet, .button.quiet { color: var(--ink); background: transparent; border-color: var(--quiet) }
button:hover, .button:hover { text-decoration: underline }
.cards { display: grid; gap: .5rem; margin: .5rem 0 0; padding: 0; list-style: none }
.cards button { flex-wrap: wrap; justify-content: space-between; gap: 0 .75rem; margin: 0; text-align: left; font-weight: 400 }
.cards .number { font-variant-numeric: tabular-nums; white-space: nowrap }
.cards .does { color: var(--quiet); font-size: .8125rem; text-align: right }
fieldset { margin: .75rem 0; padding: 0; border: 0; border-top: 1px solid var(--rule) }
legend { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%) }
.choice { display: flex; gap: .75rem; align-items: center; min-height: 3.5rem; margin: 0; padding: .375rem 0; border-bottom: 1px solid var(--rule); color: var(--ink); cursor: pointer }
.choice input { flex: none; width: 1.25rem; height: 1.25rem; margin: 0; accent-color: var(--accent) }
.choice .name { display: block; font: 1.0625rem/1.4 Newsreader, Georgia, serif }
.choice .does { display: block; color: var(--quiet); font-size: .8125rem }
details { margin: .25rem 0; border-bottom: 1px solid var(--rule) }
summary { min-height: 2.75rem; padding: .5rem 0; cursor: pointer; color: var(--accent) }
details[open] { padding-bottom: .75rem }
.note strong { color: var(--accent) }
form > .note:first-child { margin-top: .75rem }
article { padding: .75rem 0; border-bottom: 1px solid var(--rule) }
article p { margin: 0; font-size: .9375rem }
article .links { margin: 0 }
.lines { margin: .75rem 0; padding: 0; list-style: none; border-top: 1px solid var(--rule) }
.lines li { padding: .5rem 0; border-bottom: 1px solid var(--rule) }
.lines .note { display: block; overflow-wrap: anywhere }
.type { overflow-wrap: anywhere }
pre { margin: .25rem 0 1rem; padding: .625rem .75rem; border: 1px solid var(--rule); border-radius: .25rem; white-space: pre-wrap; overflow-wrap: anywhere; font-size: .8125rem }
.links { display: flex; flex-wrap: wrap; gap: .25rem 1.25rem; margin: 1rem 0 0 }
.links a { display: inline-flex; align-items: center; min-height: 2.75rem }
:focus-visible { outline: 2px solid var(--accent); outline-offset: 2px }
`

export type StripePages = { store: AccountStore; onFailure: OnFailure }

/** Returns the string fields of a form or a JSON body. */
export function fieldsOf({ body }: FastifyRequest): Record<string, string> {
  const entries = body instanceof URLSearchParams ? [...body] : Object.entries(body ?? {})
  return Object.fromEntries(
    entries.filter((entry): entry is [string, string] => typeof entry[1] === 'string'),
  )
}

/** Returns whether the caller is a browser. Other callers get JSON. */
function wantsPage({ headers }: FastifyRequest): boolean {
  return headers.accept?.includes('text/html') ?? false
}

/** Parses forms and JSON in this scope and shows errors as pages, or as JSON to other callers. */
export function servePages(app: FastifyInstance, onFailure: OnFailure): void {
  readForms(app)
  app.setErrorHandler((error, request, reply) => {
    const fault = apiErrorOf(error, onFailure)
    const { status } = fault
    if (!wantsPage(request)) return reply.code(status).send(fault.toWire())
    const isGone = status === 404
    const page = noticePage(isGone ? 'Page not found' : 'Something went wrong', [
      isGone ? 'This page does not exist or has expired.' : 'Go back and try again.',
    ])
    return sendStripePage(reply.code(status), page)
  })
}
