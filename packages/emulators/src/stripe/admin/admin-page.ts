import type { FastifyInstance } from 'fastify'
import { escapeHtml } from '../../html.ts'
import { grouped, offeredCards } from '../pages/card-form.ts'
import { formatTime, link, page, rows, sendStripePage } from '../pages/page.ts'
import type { EventRecord } from '../resources/event/event.record.ts'
import type { WebhookState, Webhooks } from '../server/webhooks.ts'
import type { AccountStore } from '../store/create-store.ts'
import { customersPart } from './admin-page-customers.ts'

const maxEvents = 20
const month = 32 * 86_400

/** `GET /stripe`: what the stand-in is, what it knows, and how to try things out with it. */
export function addAdminPage(
  app: FastifyInstance,
  {
    store,
    webhooks,
    webhookUrl,
  }: { store: AccountStore; webhooks: Webhooks; webhookUrl: string | undefined },
): void {
  app.get('/stripe', (request, reply) => {
    const origin = `${request.protocol}://${request.host}`
    return sendStripePage(reply, adminPage(store, { ...webhooks.state(), webhookUrl }, origin))
  })
}

type Sending = WebhookState & { webhookUrl: string | undefined }

function adminPage(store: AccountStore, webhooks: Sending, origin: string): string {
  return page(
    'Overview',
    `<h1>A stand-in for Stripe</h1>
<p class="lead">The site speaks to it as it would to Stripe, with Stripe’s own library. It takes test cards only, and tells nobody but the site.</p>
<p class="links">${link('/inbox', 'Inbox')}${link('/identity', 'Sign-in stand-in')}</p>
${cardsPart()}
${customersPart(store)}
${timePart(store, origin)}
${troublePart(store, origin)}
${eventsPart(store, webhooks)}`,
  )
}

function cardsPart() {
  const cards = offeredCards.map(([number, does]) => [grouped(number), does] as const)
  return `<section aria-labelledby="cards"><h2 id="cards">Test cards</h2>
<p class="note">Real cards are refused. “Asks” means that a page of the bank comes between.</p>
${rows(cards)}</section>`
}

function eventsPart(store: AccountStore, { mode, pending, webhookUrl }: Sending) {
  const events = store.of('event').list()
  const lines = events.slice(0, maxEvents).map(
    (event) => `<li><span class="type">${escapeHtml(event.type)}</span>
<span class="note">${formatTime(event.created)} · ${stateOf(event)} · ${escapeHtml(event.id)}</span></li>`,
  )
  const where = webhookUrl ? `They go to ${escapeHtml(webhookUrl)}` : 'They go nowhere: no address was named'
  return `<section aria-labelledby="events"><h2 id="events">Last events</h2>
<p class="note">${where}. Sending is ${modes[mode]}; ${pending === 0 ? 'none waits' : `${pending} wait`}.</p>
${lines.length > 0 ? `<ul class="lines">${lines.join('\n')}</ul>` : '<p>Nothing has happened yet.</p>'}</section>`
}

const modes: Record<WebhookState['mode'], string> = { on: 'on', off: 'off', hold: 'held back' }

function stateOf({ delivery }: EventRecord) {
  if (delivery === null) return 'not delivered'
  if (delivery.state === 'delivered') return 'delivered'
  const { attempts, lastFailure, nextAttemptAt } = delivery
  if (attempts === 0) return 'on its way'
  const times = attempts === 1 ? 'once' : `${attempts} times`
  return `<strong>failed ${times}</strong> (${escapeHtml(lastFailure ?? '')}), tried again at ${formatTime(nextAttemptAt)}`
}

function timePart(store: AccountStore, origin: string) {
  const ahead = Math.round((store.now() - store.wallTime()) / 86_400)
  const days = ahead === 1 ? 'a day' : `${ahead} days`
  return `<section aria-labelledby="time"><h2 id="time">Moving time</h2>
<p>It is ${formatTime(store.now())} here${ahead > 0 ? `, ${days} ahead` : ''}. Time only moves forward. What falls due on the way happens: renewals, retries, endings.</p>
<p class="note">A month on, so that every monthly plan renews:</p>
${command(origin, 'time', { advanceSeconds: month })}</section>`
}

function troublePart(store: AccountStore, origin: string) {
  const [newest] = store.of('event').list()
  return `<section aria-labelledby="trouble"><h2 id="trouble">Making trouble</h2>
<p class="note">The next three calls that open a checkout fail:</p>
${command(origin, 'faults', { kind: 'server-error', match: 'POST /v1/checkout/sessions', times: 3 })}
<p class="note">Events are held back, until the same with “on”:</p>
${command(origin, 'webhooks', { mode: 'hold' })}
<p class="note">An event is sent once more:</p>
${command(origin, `events/${newest?.id ?? 'evt_…'}/resend`, {})}</section>`
}

function command(origin: string, path: string, body: object) {
  const line = `curl --json '${JSON.stringify(body)}' ${origin}/stripe/${path}`
  return `<pre><code>${escapeHtml(line)}</code></pre>`
}
