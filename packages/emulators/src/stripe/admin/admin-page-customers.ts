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
import type { Store } from '../store/store.ts'

const maxCustomers = 25

/** Who is known, the newest first: what each subscribes to, and the pages that are open for them. */
export function customersPart(store: Store): string {
  const all = store.of('customer').list(({ deleted }) => !deleted)
  const parts = all.slice(0, maxCustomers).map((customer) => customerPart(store, customer))
  const shown =
    all.length > maxCustomers ? `<p class="note">The newest ${maxCustomers} of ${all.length}.</p>` : ''
  return `<section aria-labelledby="customers"><h2 id="customers">Customers</h2>
${shown}
${all.length > 0 ? parts.join('\n') : '<p>Nobody has come to pay yet.</p>'}</section>`
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

/** `Monthly, $4.99 every month: active, renews on 21 December 2026`. */
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
