import { escapeHtml } from '../../http/html.ts'
import type { InvoiceRecord } from '../resources/billing/invoice.ts'
import type { SubscriptionRecord } from '../resources/billing/subscription.ts'
import { type PortalSessionRecord, portalPath } from '../resources/portal/portal-session.ts'
import type { Store } from '../store/store.ts'
import { cardField, cardOffers } from './card-form.ts'
import { formatDay, formatMoney, link, page } from './page.ts'
import { describeItem } from './portal-home.ts'

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

function backLink({ id }: PortalSessionRecord, text = 'Back') {
  return `<p class="links">${link(portalPath(id), text)}</p>`
}
