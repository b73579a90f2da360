import { escapeHtml } from '../../html.ts'
import type { InvoiceRecord } from '../resources/invoice/invoice.ts'
import type { PlanSwitch, PlanSwitchTerms } from '../resources/portal-session/portal-actions.ts'
import { type PortalSessionRecord, portalPath } from '../resources/portal-session/portal-session.ts'
import { type PriceRecord, productName } from '../resources/price/price.ts'
import type { SubscriptionRecord } from '../resources/subscription/subscription.ts'
import type { Store } from '../store/store.ts'
import { cardField, cardOffers } from './card-form.ts'
import { formatDay, formatMoney, formatPrice, link, page, problemLine, rows } from './page.ts'
import { describeItem, returnLink } from './portal-home.ts'

export function plansPage(
  store: Store,
  session: PortalSessionRecord,
  subscription: SubscriptionRecord,
  prices: PriceRecord[],
): string {
  const choices = prices.map(
    (
      price,
      index,
    ) => `<label class="choice"><input type="radio" name="price" value="${escapeHtml(price.id)}" required${index === 0 ? ' checked' : ''}>
<span><span class="name">${escapeHtml(productName(store, price))}</span><span class="does">${escapeHtml(formatPrice(price))}</span></span></label>`,
  )
  const action = escapeHtml(portalPath(session.id, `/subscriptions/${subscription.id}/confirm`))
  return page(
    'Switch plan',
    `<h1>Switch plan</h1>
<p class="lead">Now: ${escapeHtml(describeItem(store, subscription.item))}</p>
${
  choices.length > 0
    ? `<form method="get" action="${action}"><fieldset><legend>Plans</legend>${choices.join('\n')}</fieldset>
<button>Continue</button></form>`
    : '<p>There is no other plan.</p>'
}
${backLink(session)}`,
  )
}

/** Returns the page that shows the cost of a switch before it is confirmed. */
export function confirmPage(
  store: Store,
  session: PortalSessionRecord,
  subscription: SubscriptionRecord,
  wanted: PlanSwitch,
  terms: PlanSwitchTerms,
  problem?: string,
): string {
  const action = escapeHtml(portalPath(session.id, `/subscriptions/${subscription.id}/confirm`))
  return page(
    'Confirm the change',
    `<h1>Confirm the change</h1>
${rows([
  ['Now', escapeHtml(describeItem(store, subscription.item))],
  ['Then', escapeHtml(describeItem(store, wanted))],
])}
${termsPart(subscription, terms)}
${problemLine(problem)}
<form method="post" action="${action}">
<input type="hidden" name="price" value="${escapeHtml(wanted.priceId)}">
<button>Confirm</button></form>
${backLink(session)}`,
  )
}

function termsPart(subscription: SubscriptionRecord, terms: PlanSwitchTerms) {
  if (terms.when === 'period-end') {
    return `<p class="lead">Your plan changes on ${formatDay(terms.at)}, when the paid period ends. You are not charged before.</p>`
  }
  const { invoice, isPaidNow } = terms
  const lines = rows([
    ...invoice.lines.map((line) => [line.description, money(invoice, line.amount)] as const),
    ...(invoice.total === invoice.subtotal
      ? []
      : [['Discount', money(invoice, invoice.total - invoice.subtotal)] as const]),
    ...(invoice.amountDue === invoice.total
      ? []
      : [['Credit', money(invoice, invoice.amountDue - invoice.total)] as const]),
    [
      isPaidNow ? 'Paid now' : `Paid on ${formatDay(subscription.item.currentPeriodEnd)}`,
      `<strong>${money(invoice, invoice.amountDue)}</strong>`,
    ],
  ])
  return `${lines}<p class="lead">Your plan changes immediately.</p>`
}

function money({ currency }: InvoiceRecord, amount: number) {
  return escapeHtml(formatMoney(amount, currency))
}

export function cancelPage(
  store: Store,
  session: PortalSessionRecord,
  { id, item }: SubscriptionRecord,
): string {
  return page(
    'Cancel subscription',
    `<h1>Cancel subscription?</h1>
<p>${escapeHtml(describeItem(store, item))}</p>
<p class="lead">It runs until ${formatDay(item.currentPeriodEnd)}. You will not be charged again.</p>
<form method="post" action="${escapeHtml(portalPath(session.id, `/subscriptions/${id}/cancel`))}">
<button>Cancel subscription</button></form>
${backLink(session, 'Keep it')}`,
  )
}

/** Returns the page for a new card. `open` are the invoices that the card will pay. */
export function cardPage(
  session: PortalSessionRecord,
  typed: { card: string; problem?: string | undefined },
  open: InvoiceRecord[],
): string {
  const [first] = open
  const total = open.reduce((sum, { amountRemaining }) => sum + amountRemaining, 0)
  const pays = first
    ? `<p class="lead">${escapeHtml(formatMoney(total, first.currency))} is unpaid. This card pays it immediately.</p>`
    : ''
  return page(
    'Card',
    `<h1>Card</h1>
<p class="lead">It replaces your saved card.</p>
${pays}
<form method="post" action="${escapeHtml(portalPath(session.id, '/card'))}">
${cardField(typed.card, typed.problem)}
<button name="answer" value="save">Save card</button>
${cardOffers()}
</form>
${backLink(session)}`,
  )
}

/** Links to the home page, or to the site for a session with a flow. */
function backLink(session: PortalSessionRecord, text = 'Back') {
  if (session.flow) return returnLink(session)
  return `<p class="links">${link(portalPath(session.id), text)}</p>`
}
