import type { FastifyInstance } from 'fastify'
import { escapeHtml } from '../../http/html.ts'
import { grouped, offeredCards } from '../pages/card-form.ts'
import { invoicePath } from '../pages/invoice-page.ts'
import { formatDay, formatMoney, formatTime, link, page, rows, sendStripePage } from '../pages/page.ts'
import { describeItem } from '../pages/portal-home.ts'
import type { SubscriptionRecord } from '../resources/billing/subscription.ts'
import { type CheckoutSessionRecord, checkoutPath } from '../resources/checkout/checkout-session.ts'
import type { CustomerRecord } from '../resources/customers/customer.ts'
import { isOpen, portalPath } from '../resources/portal/portal-session.ts'
import type { WebhookState, Webhooks } from '../server/webhooks.ts'
import type { AccountStore } from '../store/create-store.ts'
import type { EventRecord, Store } from '../store/store.ts'

const maxEvents = 20
const month = 32 * 86_400

/** Serves `GET /stripe`, the admin page. */
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
    `<h1>Stripe emulator</h1>
<p class="lead">The site calls it with Stripe’s own library. It only accepts test cards and only sends events to the site.</p>
<p class="links">${link('/inbox', 'Inbox')}${link('/identity', 'Sign-in emulator')}</p>
${cardsPart()}
${customersPart(store)}
${timePart(store, origin)}
${faultsPart(store, origin)}
${eventsPart(store, webhooks)}`,
  )
}

function cardsPart() {
  const cards = offeredCards.map(([number, does]) => [grouped(number), does] as const)
  return `<section aria-labelledby="cards"><h2 id="cards">Test cards</h2>
<p class="note">Real cards are declined. “Asks” opens a page of the bank first.</p>
${rows(cards)}</section>`
}

function eventsPart(store: AccountStore, { mode, pending, webhookUrl }: Sending) {
  const events = store.of('event').list()
  const lines = events.slice(0, maxEvents).map(
    (event) => `<li><span class="type">${escapeHtml(event.type)}</span>
<span class="note">${formatTime(event.created)} · ${stateOf(event)} · ${escapeHtml(event.id)}</span></li>`,
  )
  const where = webhookUrl ? `Sent to ${escapeHtml(webhookUrl)}` : 'Not sent: there is no webhook address'
  return `<section aria-labelledby="events"><h2 id="events">Latest events</h2>
<p class="note">${where}. Delivery is ${modes[mode]}; ${pending} pending.</p>
${lines.length > 0 ? `<ul class="lines">${lines.join('\n')}</ul>` : '<p>No events yet.</p>'}</section>`
}

const modes: Record<WebhookState['mode'], string> = { on: 'on', off: 'off', hold: 'on hold' }

function stateOf({ delivery }: EventRecord) {
  if (delivery === null) return 'not delivered'
  if (delivery.state === 'delivered') return 'delivered'
  const { attempts, lastFailure, nextAttemptAt } = delivery
  if (attempts === 0) return 'pending'
  const times = attempts === 1 ? 'once' : `${attempts} times`
  return `<strong>failed ${times}</strong> (${escapeHtml(lastFailure ?? '')}), next attempt at ${formatTime(nextAttemptAt)}`
}

function timePart(store: AccountStore, origin: string) {
  const ahead = Math.round((store.now() - store.wallTime()) / 86_400)
  const days = ahead === 1 ? 'a day' : `${ahead} days`
  return `<section aria-labelledby="time"><h2 id="time">Moving time</h2>
<p>It is ${formatTime(store.now())}${ahead > 0 ? `, ${days} ahead` : ''}. Time only moves forward, and runs the renewals, retries and cancellations that are due.</p>
<p class="note">Move a month ahead, so that every monthly plan renews:</p>
${command(origin, 'time', { advanceSeconds: month })}</section>`
}

function faultsPart(store: AccountStore, origin: string) {
  const [newest] = store.of('event').list()
  return `<section aria-labelledby="faults"><h2 id="faults">Faults</h2>
<p class="note">Fail the next three calls that open a checkout:</p>
${command(origin, 'faults', { kind: 'server-error', match: 'POST /v1/checkout/sessions', times: 3 })}
<p class="note">Hold events until the mode is “on” again:</p>
${command(origin, 'webhooks', { mode: 'hold' })}
<p class="note">Send an event again:</p>
${command(origin, `events/${newest?.id ?? 'evt_…'}/resend`, {})}</section>`
}

function command(origin: string, path: string, body: object) {
  const line = `curl --json '${JSON.stringify(body)}' ${origin}/stripe/${path}`
  return `<pre><code>${escapeHtml(line)}</code></pre>`
}

const maxCustomers = 25

function customersPart(store: Store): string {
  const all = store.of('customer').list(({ deleted }) => !deleted)
  const parts = all.slice(0, maxCustomers).map((customer) => customerPart(store, customer))
  const shown =
    all.length > maxCustomers ? `<p class="note">The newest ${maxCustomers} of ${all.length}.</p>` : ''
  return `<section aria-labelledby="customers"><h2 id="customers">Customers</h2>
${shown}
${all.length > 0 ? parts.join('\n') : '<p>No customers yet.</p>'}</section>`
}

function customerPart(store: Store, customer: CustomerRecord) {
  const { id } = customer
  const subscriptions = store.of('subscription').ofCustomer(id)
  const lines = subscriptions.map((subscription) => `<p>${escapeHtml(describe(store, subscription))}</p>`)
  const checkouts = store.of('checkoutSession').ofCustomer(id, (session) => isPayable(store, session))
  const portals = store.of('portalSession').ofCustomer(id, (session) => isOpen(store, session))
  const invoices = store
    .of('invoice')
    .ofCustomer(id, ({ status, amountRemaining }) => status === 'open' && amountRemaining > 0)
  const links = [
    ...checkouts.map(checkoutLink),
    ...invoices.map(({ id: invoiceId, amountRemaining, currency }) =>
      link(invoicePath(invoiceId), `Pay ${formatMoney(amountRemaining, currency)}`),
    ),
    ...portals.slice(0, 1).map(({ id: sessionId }) => link(portalPath(sessionId), 'Billing portal')),
  ]
  const name = customer.email ?? customer.name ?? id
  return `<article aria-labelledby="${id}"><h3 id="${id}">${escapeHtml(name)}</h3>
${lines.length > 0 ? lines.join('\n') : '<p class="note">No subscription.</p>'}
${linksOf(links)}</article>`
}

/** Describes a subscription: `Monthly, $4.99 every month: active, renews on 21 December 2026`. */
function describe(store: Store, subscription: SubscriptionRecord) {
  const { item, status, cancelAt, endedAt } = subscription
  const what = `${describeItem(store, item)}: ${status.replaceAll('_', ' ')}`
  if (endedAt !== null) return `${what} since ${formatDay(endedAt)}`
  if (cancelAt !== null) return `${what}, ends on ${formatDay(cancelAt)}`
  if (status !== 'active' && status !== 'trialing') return what
  return `${what}, renews on ${formatDay(item.currentPeriodEnd)}`
}

function isPayable(store: Store, { status, expiresAt }: CheckoutSessionRecord) {
  return status === 'open' && expiresAt > store.now()
}

function checkoutLink({ id }: CheckoutSessionRecord) {
  return link(checkoutPath(id), 'Open checkout')
}

function linksOf(links: string[]) {
  return links.length > 0 ? `<p class="links">${links.join('\n')}</p>` : ''
}
