import { escapeHtml } from '../../http/html.ts'
import { previewChange } from '../resources/billing/change-subscription.ts'
import { activeDiscounts } from '../resources/billing/invoice-lines.ts'
import { payingCardId } from '../resources/billing/pay-invoice.ts'
import { runningSubscriptions, type SubscriptionRecord } from '../resources/billing/subscription.ts'
import type { PaymentMethodRecord } from '../resources/customers/payment-method.ts'
import { pendingSwitch } from '../resources/portal/portal-actions.ts'
import type { PortalConfigurationRecord } from '../resources/portal/portal-configuration.ts'
import { type PortalSessionRecord, portalPath } from '../resources/portal/portal-session.ts'
import { productName } from '../resources/products/price.ts'
import type { Store } from '../store/store.ts'
import { invoicePath, stateOf } from './invoice-page.ts'
import { formatDay, formatMoney, formatPrice, link, page } from './page.ts'

type Features = PortalConfigurationRecord['features']

/** The confirmations on the portal's home page. */
const doneTexts = {
  canceled: 'Your subscription was canceled and ends with the period.',
  resumed: 'Your subscription continues.',
  saved: 'Your card was saved.',
  'saved-and-paid': 'Your card was saved, and your open invoices are paid.',
}

export type Done = keyof typeof doneTexts

export function isDone(text: string | undefined): text is Done {
  return text !== undefined && Object.hasOwn(doneTexts, text)
}

/** Returns the portal's home page. */
export function homePage(store: Store, session: PortalSessionRecord, done?: Done): string {
  const { features } = store.of('portalConfiguration').get(session.configurationId)
  const customer = store.of('customer').get(session.customerId)
  const running = runningSubscriptions(store, session.customerId)
  const sections = running.map((subscription) => subscriptionSection(store, session, subscription, features))
  return page(
    'Your subscription',
    `<h1>Your subscription</h1>
<p class="lead">${escapeHtml(customer.email ?? customer.name ?? customer.id)}</p>
${done ? `<p class="status" role="status">${doneTexts[done]}</p>` : ''}
${sections.length > 0 ? sections.join('\n') : '<p class="lead">You have no subscription.</p>'}
${cardSection(store, session, features)}
${features.invoiceHistory ? invoiceSection(store, session) : ''}
${returnLink(session)}`,
  )
}

/** Returns the link back to the site; empty without a return address. */
function returnLink({ returnUrl }: PortalSessionRecord): string {
  if (!returnUrl) return ''
  return `<p class="links">${link(returnUrl, `Back to ${URL.parse(returnUrl)?.host ?? 'the site'}`)}</p>`
}

/** Returns an item's description: `Tidings, $9.00 every month`. */
export function describeItem(
  store: Store,
  { priceId, quantity }: { priceId: string; quantity: number },
): string {
  const price = store.of('price').get(priceId)
  return `${productName(store, price)}${quantity > 1 ? ` × ${quantity}` : ''}, ${formatPrice(price)}`
}

/** Formats a card: `Visa ending in 4242`. */
function cardLabel({ brand, last4 }: PaymentMethodRecord): string {
  return `${brand.charAt(0).toUpperCase()}${brand.slice(1)} ending in ${last4}`
}

function subscriptionSection(
  store: Store,
  session: PortalSessionRecord,
  subscription: SubscriptionRecord,
  features: Features,
) {
  const { id, item, cancelAt } = subscription
  const price = store.of('price').get(item.priceId)
  const at = (rest: string) => escapeHtml(portalPath(session.id, `/subscriptions/${id}${rest}`))
  const post = (rest: string, text: string) =>
    `<form method="post" action="${at(rest)}"><button class="quiet">${text}</button></form>`
  const actions = [
    features.subscriptionCancel && cancelAt === null
      ? `<a class="button quiet" href="${at('/cancel')}">Cancel subscription</a>`
      : '',
    features.subscriptionCancel && cancelAt !== null ? post('/resume', 'Keep the subscription') : '',
  ]
  return `<section aria-labelledby="${id}"><h2 id="${id}">${escapeHtml(productName(store, price))}</h2>
<p>${escapeHtml(formatPrice(price))}</p>
${statusLines(store, subscription)}
${actions.filter(Boolean).join('\n')}</section>`
}

/** Returns a subscription's status and what comes next. */
function statusLines(store: Store, subscription: SubscriptionRecord) {
  const { status, cancelAt, trialEnd, item, discounts, testClockId } = subscription
  if (status === 'past_due' || status === 'unpaid' || status === 'incomplete') {
    return '<p class="problem" role="alert">Your last payment failed. Change your card or pay the invoice below.</p>'
  }
  const lines = []
  const waiting = pendingSwitch(store, subscription)
  if (cancelAt !== null) lines.push(`Ends on ${formatDay(cancelAt)}. You will not be charged again.`)
  else if (status === 'trialing' && trialEnd !== null) {
    lines.push(`Free until ${formatDay(trialEnd)}. ${nextPayment(store, subscription)}`)
  } else if (status === 'active') lines.push(nextPayment(store, subscription))
  if (waiting)
    lines.push(`Changes on ${formatDay(item.currentPeriodEnd)} to ${describeItem(store, waiting)}.`)
  const [active] = activeDiscounts(store, discounts, store.now(testClockId))
  if (active) {
    const until = active.discount.end === null ? '' : ` until ${formatDay(active.discount.end)}`
    lines.push(`Discount: ${active.coupon.name ?? active.coupon.id}${until}.`)
  }
  return lines.map((line) => `<p class="lead">${escapeHtml(line)}</p>`).join('\n')
}

function nextPayment(store: Store, subscription: SubscriptionRecord) {
  const { amountDue, currency } = previewChange(store, subscription.id)
  return `Next payment: ${formatMoney(amountDue, currency)} on ${formatDay(subscription.item.currentPeriodEnd)}.`
}

function cardSection(store: Store, session: PortalSessionRecord, { paymentMethodUpdate }: Features) {
  const card = currentCard(store, session.customerId)
  const text = card ? `${cardLabel(card)}, valid until ${card.expMonth}/${card.expYear}` : 'No card is saved.'
  const change = paymentMethodUpdate
    ? `<a class="button quiet" href="${escapeHtml(portalPath(session.id, '/card'))}">${card ? 'Change card' : 'Add a card'}</a>`
    : ''
  return `<section aria-labelledby="card"><h2 id="card">Card</h2><p>${escapeHtml(text)}</p>${change}</section>`
}

/** Returns the card that pays next: the newest subscription's, else the customer's default. */
function currentCard(store: Store, customerId: string): PaymentMethodRecord | undefined {
  const [newest] = runningSubscriptions(store, customerId)
  const id = payingCardId(store, newest ?? { customerId, defaultPaymentMethodId: null })
  return id ? store.of('paymentMethod').find(id) : undefined
}

function invoiceSection(store: Store, session: PortalSessionRecord) {
  const invoices = store.of('invoice').ofCustomer(session.customerId, ({ status }) => status !== 'draft')
  if (invoices.length === 0) return ''
  const lines = invoices.slice(0, 24).map(
    (
      invoice,
    ) => `<div><dt>${formatDay(invoice.created)}<br>${link(invoicePath(invoice.id), invoice.number ?? 'Invoice')}</dt>
<dd>${escapeHtml(formatMoney(invoice.total, invoice.currency))}<br><span class="note">${stateOf(invoice)}</span></dd></div>`,
  )
  return `<section aria-labelledby="invoices"><h2 id="invoices">Invoices</h2><dl>${lines.join('\n')}</dl></section>`
}
