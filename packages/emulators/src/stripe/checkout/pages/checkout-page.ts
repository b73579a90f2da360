import { escapeHtml } from '../../../html.ts'
import { clockOf } from '../../billing/cards/charging.ts'
import { cardField, cardOffers } from '../../pages/card-form.ts'
import {
  formatDay,
  formatInterval,
  formatMoney,
  formatPrice,
  link,
  page,
  problemLine,
  rows,
  tellingPage,
} from '../../pages/page.ts'
import type { CouponRecord } from '../../records/catalogue.ts'
import type { CheckoutSessionRecord } from '../../records/checkout-session.ts'
import { couponOf, hasTrial, type LineTotal, totalsOf } from '../../rules/checkout-totals.ts'
import { addInterval } from '../../rules/periods.ts'
import type { World } from '../../world/world.ts'
import { checkoutPath } from '../checkout-path.ts'

/** What was typed into the form, and what was wrong with it. */
export type Typed = {
  card: string
  email: string
  name: string
  problem?: string | undefined
  /** A code that was refused, and why. */
  promotion?: { code: string; problem: string } | undefined
}

/** The page of an open session: what is bought, and the form that pays for it. */
export function payingPage(world: World, session: CheckoutSessionRecord, typed: Typed): string {
  const totals = totalsOf(world, session)
  const action = escapeHtml(checkoutPath(session.id))
  const title = titleOf(world, session)
  const due = formatMoney(totals.total, session.currency)
  const asksForCard = totals.total > 0 || session.paymentMethodCollection === 'always'
  const verb = totals.total > 0 ? `Pay ${due}` : hasTrial(session) ? 'Start trial' : 'Subscribe'
  return page(
    title,
    `<h1>${escapeHtml(title)}</h1>
${summary(world, session)}
${promotionForm(world, session, typed)}
<form method="post" action="${action}">
${emailField(world, session, typed)}
${asksForCard ? cardField(typed.card, typed.problem) : problemLine(typed.problem)}
<button name="answer" value="pay">${escapeHtml(verb)}</button>
${asksForCard ? cardOffers() : ''}
</form>
${session.cancelUrl ? `<p class="links">${link(session.cancelUrl, `Back to ${hostOf(session.cancelUrl)}`)}</p>` : ''}`,
  )
}

/** What is shown of a session that was paid. */
export function completePage(session: CheckoutSessionRecord): string {
  return tellingPage(
    'All done here',
    ['This was paid already, and cannot be paid twice.'],
    [link(successUrl(session), `Go on to ${hostOf(session.successUrl)}`)],
  )
}

/** What is shown of a session whose time is over, or that was ended. */
export function expiredPage(session: CheckoutSessionRecord): string {
  return tellingPage(
    'This page has expired',
    ['Nothing was paid. Begin again where you came from.'],
    session.cancelUrl ? [link(session.cancelUrl, `Back to ${hostOf(session.cancelUrl)}`)] : [],
  )
}

/** Where the browser goes once it is paid, with the session's id where it was asked for. */
export function successUrl({ successUrl: template, id }: CheckoutSessionRecord): string {
  return template.replaceAll('{CHECKOUT_SESSION_ID}', id).replaceAll('%7BCHECKOUT_SESSION_ID%7D', id)
}

function titleOf(world: World, { mode, lineItems: [first] }: CheckoutSessionRecord) {
  const price = world.of('price').get(first?.priceId ?? '')
  const { name } = world.of('product').get(price.productId)
  return mode === 'subscription' ? `Subscribe to ${name}` : `Buy ${name}`
}

function summary(world: World, session: CheckoutSessionRecord) {
  const { lines, discount, total } = totalsOf(world, session)
  const money = (amount: number) => escapeHtml(formatMoney(amount, session.currency))
  const [chosen] = session.discounts
  const coupon = chosen && couponOf(world, chosen)
  const lowered = coupon ? [[discountName(world, session, coupon), money(-discount)] as const] : []
  return `${rows([
    ...lines.map((line) => [lineName(world, line), escapeHtml(formatPrice(line.price))] as const),
    ...lowered,
    ['Due today', `<strong>${money(total)}</strong>`],
  ])}<p class="note">${escapeHtml(whatFollows(world, session, lines))}</p>`
}

function lineName(world: World, { price, quantity }: LineTotal) {
  const { name } = world.of('product').get(price.productId)
  return quantity === 1 ? name : `${name} × ${quantity}`
}

function discountName(
  world: World,
  { discounts: [chosen], currency }: CheckoutSessionRecord,
  coupon: CouponRecord,
) {
  const code = world.of('promotionCode').find(chosen?.promotionCodeId ?? '')?.code
  return `${code ?? coupon.name ?? 'Discount'}: ${describeCoupon(coupon, currency)}`
}

function describeCoupon(
  { percentOff, amountOff, duration, durationInMonths }: CouponRecord,
  currency: string,
) {
  const off = percentOff === null ? formatMoney(amountOff ?? 0, currency) : `${percentOff}%`
  if (duration === 'once') return `${off} off`
  if (duration === 'forever') return `${off} off for ever`
  return `${off} off for ${durationInMonths === 1 ? 'a month' : `${durationInMonths} months`}`
}

function whatFollows(world: World, session: CheckoutSessionRecord, lines: LineTotal[]) {
  const { customerId, subscriptionData } = session
  const recurring = lines.find(({ price }) => price.recurring)?.price
  if (!recurring?.recurring) return 'Paid once.'
  const now = world.now(clockOf(world, customerId))
  const every = formatInterval(recurring.recurring)
  const { trialPeriodDays, trialEnd } = subscriptionData
  if (hasTrial(session)) {
    const end = trialEnd ?? now + (trialPeriodDays ?? 0) * 86_400
    return `Free until ${formatDay(end)}, then ${formatPrice(recurring)}, until you cancel.`
  }
  const next = formatDay(addInterval(now, recurring.recurring))
  return `Renews on ${next} and ${every} after that, until you cancel.`
}

function promotionForm(world: World, session: CheckoutSessionRecord, { promotion }: Typed) {
  if (!session.allowPromotionCodes) return ''
  const action = escapeHtml(checkoutPath(session.id))
  const [applied] = session.discounts
  if (applied) {
    const code = world.of('promotionCode').find(applied.promotionCodeId ?? '')?.code ?? ''
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

function emailField(world: World, { customerId, customerEmail }: CheckoutSessionRecord, { email }: Typed) {
  const known = (customerId && world.of('customer').find(customerId)?.email) ?? customerEmail
  if (known) return `<p class="note">For ${escapeHtml(known)}</p>`
  return `<label for="email">E-mail address</label>
<input id="email" name="email" type="email" inputmode="email" required autocomplete="email" autocapitalize="none" spellcheck="false" maxlength="254" value="${escapeHtml(email)}">`
}

function hostOf(address: string) {
  return URL.parse(address)?.host ?? 'the site'
}
