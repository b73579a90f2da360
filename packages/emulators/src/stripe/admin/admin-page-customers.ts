import { escapeHtml } from '../../html.ts'
import { invoicePath } from '../pages/invoice-page.ts'
import { formatDay, formatMoney, link } from '../pages/page.ts'
import { describeItem } from '../pages/portal-home.ts'
import { isOpen } from '../pages/portal-session.ts'
import { checkoutPath } from '../resources/checkout-session/checkout-path.ts'
import type { CheckoutSessionRecord } from '../resources/checkout-session/checkout-session.record.ts'
import type { CustomerRecord } from '../resources/customer/customer.record.ts'
import { portalPath } from '../resources/portal-session/portal-path.ts'
import type { SubscriptionRecord } from '../resources/subscription/subscription.record.ts'
import type { World } from '../store/store.ts'

const mostCustomers = 25

/** Who is known, the newest first: what each subscribes to, and the pages that are open for them. */
export function customersPart(world: World): string {
  const all = world.of('customer').list(({ deleted }) => !deleted)
  const parts = all.slice(0, mostCustomers).map((customer) => customerPart(world, customer))
  const shown =
    all.length > mostCustomers ? `<p class="note">The newest ${mostCustomers} of ${all.length}.</p>` : ''
  return `<section aria-labelledby="customers"><h2 id="customers">Customers</h2>
${shown}
${all.length > 0 ? parts.join('\n') : '<p>Nobody has come to pay yet.</p>'}</section>`
}

function customerPart(world: World, customer: CustomerRecord) {
  const { id } = customer
  const subscriptions = world.of('subscription').ofCustomer(id)
  const lines = subscriptions.map((subscription) => `<p>${escapeHtml(describe(world, subscription))}</p>`)
  const checkouts = world.of('checkoutSession').ofCustomer(id, (session) => isPayable(world, session))
  const portals = world.of('portalSession').ofCustomer(id, (session) => isOpen(world, session))
  const invoices = world
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

/** `Monthly, $4.99 every month: active, renews on 21 December 2026`. */
function describe(world: World, subscription: SubscriptionRecord) {
  const { item, status, cancelAt, endedAt } = subscription
  const what = `${describeItem(world, item)}: ${status.replaceAll('_', ' ')}`
  if (endedAt !== null) return `${what} since ${formatDay(endedAt)}`
  if (cancelAt !== null) return `${what}, ends on ${formatDay(cancelAt)}`
  if (status !== 'active' && status !== 'trialing') return what
  return `${what}, renews on ${formatDay(item.currentPeriodEnd)}`
}

function isPayable(world: World, { status, expiresAt }: CheckoutSessionRecord) {
  return status === 'open' && expiresAt > world.now()
}

function checkoutLink({ id }: CheckoutSessionRecord) {
  return link(checkoutPath(id), 'Open checkout')
}

function linksOf(links: string[]) {
  return links.length > 0 ? `<p class="links">${links.join('\n')}</p>` : ''
}
