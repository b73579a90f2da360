import { escapeHtml } from '../../http/html.ts'
import {
  type CheckoutSessionRecord,
  checkoutPath,
  checkoutTotals,
  couponOfDiscount,
} from '../resources/checkout/checkout-session.ts'
import { clockOf } from '../resources/customers/customer.ts'
import type { CouponRecord } from '../resources/products/coupon.ts'
import { nextPeriodEnd } from '../resources/products/periods.ts'
import { productName, recurringOf } from '../resources/products/price.ts'
import type { Store } from '../store/store.ts'
import { cardField, cardOffers } from './card-form.ts'
import { formatDay, formatInterval, formatMoney, formatPrice, link, noticePage, page, rows } from './page.ts'

/** The form as it was typed, with its error. */
export type Typed = {
  card: string
  problem?: string | undefined
  /** A rejected promotion code. */
  promotion?: { code: string; problem: string } | undefined
}

/** Returns the page of an open session. */
export function payingPage(store: Store, session: CheckoutSessionRecord, typed: Typed): string {
  const { price, total } = checkoutTotals(store, session)
  const title = `Subscribe to ${productName(store, price)}`
  const { email, name, id } = store.of('customer').get(session.customerId)
  return page(
    title,
    `<h1>${escapeHtml(title)}</h1>
${summary(store, session)}
${promotionForm(store, session, typed)}
<form method="post" action="${escapeHtml(checkoutPath(session.id))}">
<p class="note">For ${escapeHtml(email ?? name ?? id)}</p>
${cardField(typed.card, typed.problem)}
<button name="answer" value="pay">Pay ${escapeHtml(formatMoney(total, session.currency))}</button>
${cardOffers()}
</form>
${session.cancelUrl ? `<p class="links">${link(session.cancelUrl, `Back to ${hostOf(session.cancelUrl)}`)}</p>` : ''}`,
  )
}

export function completePage(session: CheckoutSessionRecord): string {
  return noticePage(
    'Already paid',
    ['This checkout is paid and cannot be paid twice.'],
    [link(successUrl(session), `Continue to ${hostOf(session.successUrl)}`)],
  )
}

export function expiredPage(session: CheckoutSessionRecord): string {
  return noticePage(
    'This page has expired',
    ['You were not charged. Go back and start again.'],
    session.cancelUrl ? [link(session.cancelUrl, `Back to ${hostOf(session.cancelUrl)}`)] : [],
  )
}

/** Returns the success address with the session id filled in. */
export function successUrl({ successUrl: template, id }: CheckoutSessionRecord): string {
  return template.replaceAll('{CHECKOUT_SESSION_ID}', id).replaceAll('%7BCHECKOUT_SESSION_ID%7D', id)
}

function summary(store: Store, session: CheckoutSessionRecord) {
  const { price, discount, total } = checkoutTotals(store, session)
  const { lineItem, currency } = session
  const money = (amount: number) => escapeHtml(formatMoney(amount, currency))
  const coupon = session.discount && couponOfDiscount(store, session.discount)
  const lowered = coupon ? [[discountName(store, session, coupon), money(-discount)] as const] : []
  const name = productName(store, price) + (lineItem.quantity === 1 ? '' : ` × ${lineItem.quantity}`)
  return `${rows([
    [name, escapeHtml(formatPrice(price))],
    ...lowered,
    ['Due today', `<strong>${money(total)}</strong>`],
  ])}<p class="note">${escapeHtml(whatFollows(store, session))}</p>`
}

function discountName(store: Store, { discount, currency }: CheckoutSessionRecord, coupon: CouponRecord) {
  const code = store.of('promotionCode').find(discount?.promotionCodeId ?? '')?.code
  return `${code ?? coupon.name ?? 'Discount'}: ${describeCoupon(coupon, currency)}`
}

function describeCoupon(
  { percentOff, amountOff, duration, durationInMonths }: CouponRecord,
  currency: string,
) {
  const off = percentOff === null ? formatMoney(amountOff ?? 0, currency) : `${percentOff}%`
  if (duration === 'once') return `${off} off`
  if (duration === 'forever') return `${off} off forever`
  return `${off} off for ${durationInMonths === 1 ? 'a month' : `${durationInMonths} months`}`
}

function whatFollows(store: Store, { customerId, lineItem }: CheckoutSessionRecord) {
  const recurring = recurringOf(store, lineItem.priceId)
  const now = store.now(clockOf(store, customerId))
  const next = formatDay(nextPeriodEnd(now, now, recurring))
  return `Renews on ${next} and ${formatInterval(recurring)} after that, until you cancel.`
}

function promotionForm(store: Store, session: CheckoutSessionRecord, { promotion }: Typed) {
  if (!session.allowPromotionCodes) return ''
  const action = escapeHtml(checkoutPath(session.id))
  if (session.discount) {
    const code = store.of('promotionCode').find(session.discount.promotionCodeId ?? '')?.code ?? ''
    return `<form method="post" action="${action}">
<button name="answer" value="remove-promotion" class="quiet">Remove ${escapeHtml(code)}</button></form>`
  }
  return `<details${promotion ? ' open' : ''}><summary>Add a promotion code</summary>
<form method="post" action="${action}"><label for="promotion">Promotion code</label>
<div class="inline"><input id="promotion" name="promotion" required maxlength="100" autocomplete="off" autocapitalize="characters" spellcheck="false" value="${escapeHtml(promotion?.code ?? '')}"${
    promotion ? ' aria-invalid="true" aria-describedby="promotion-problem"' : ''
  }><button name="answer" value="promotion" class="quiet">Apply</button></div>
${promotion ? `<p class="problem" id="promotion-problem" role="alert">${escapeHtml(promotion.problem)}</p>` : ''}</form></details>`
}

function hostOf(address: string) {
  return URL.parse(address)?.host ?? 'the site'
}
