import type { PlanConnection } from '@tidings/contracts/membership/members'
import { formatMajorUnits } from '@tidings/contracts/membership/money'
import { describePrice, formatBillingDay, totalWithTax } from '@tidings/contracts/membership/price-text'
import type Stripe from 'stripe'
import { describe, expect } from 'vitest'
import { addPlans } from '#test/factories/app-settings.ts'
import { paymentMailTest } from '#test/fixtures.ts'
import type { TestMember } from '#test/membership.ts'
import { paidPlansOf } from '#test/payments/payment-actions.ts'

type Payment = NonNullable<PlanConnection['payment']>
type Coupon = Stripe.CouponCreateParams

const timeZone = 'America/Los_Angeles'
const repeating = (percent: number, months: number): Coupon => {
  return { percent_off: percent, duration: 'repeating', duration_in_months: months }
}
const off = (amount: number, currency: string): Coupon => ({ amount_off: amount, currency })

/** Coupons that are redeemed at the checkout, later for the subscription, or later for the customer. */
type Redeemed = { at: 'checkout' | 'subscription' | 'customer'; coupons: (currency: string) => Coupon[] }

/** One of each way to redeem. What Stripe charges with more discounts is a table of the gateway's own tests. */
const discounts: Record<string, Redeemed> = {
  none: { at: 'checkout', coupons: () => [] },
  long: { at: 'checkout', coupons: () => [repeating(40, 14)] },
  free: { at: 'checkout', coupons: () => [repeating(100, 2)] },
  forever: { at: 'checkout', coupons: (currency) => [{ ...off(150, currency), duration: 'forever' }] },
  once: { at: 'subscription', coupons: () => [{ percent_off: 50, duration: 'once' }] },
  'of the customer': { at: 'customer', coupons: () => [repeating(20, 3)] },
}
const sales = [
  ['none', 'usd'],
  ['long', 'usd'],
  ['free', 'usd'],
  ['forever', 'jpy'],
  ['once', 'usd'],
  ['of the customer', 'jpy'],
] as const

const taxes = {
  'no tax': { percent: 0, words: '', env: {} },
  'exclusive tax': {
    percent: 8.875,
    words: 'plus tax',
    env: { STRIPE_TAX: 'on', STRIPE_TAX_BEHAVIOR: 'exclusive' },
  },
  'inclusive tax': {
    percent: 20,
    words: 'including tax',
    env: { STRIPE_TAX: 'on', STRIPE_TAX_BEHAVIOR: 'inclusive' },
  },
}

/** Returns the sentence of the site about a plan's price. */
function sentenceOf({ renewal, currency }: Payment): string {
  if (renewal === undefined) throw new Error('The price is not known.')
  return describePrice(renewal, {
    formatMoney: (amount) => formatMajorUnits(amount, currency, 'en'),
    formatDay: (instant) => formatBillingDay(instant, timeZone, 'en'),
  })
}

/** The site's sentences about two discounts, without days and tax. */
const sentences = {
  MONTHLY: { 'long usd': '$2.99 a month until DAY, then $4.99 a month', 'forever jpy': '¥349 a month' },
  YEARLY: { 'long usd': '$29.99 a year until DAY, then $49.99 a year', 'forever jpy': '¥4,849 a year' },
}

/** Returns what a payment at an instant was shown to charge. */
function shownAt(payment: Payment | undefined, seconds: number): number | undefined {
  return payment?.renewal?.amounts.findLast(({ from }) => Date.parse(from) / 1000 <= seconds)?.amount
}

const rounds = { MONTHLY: { days: 31, count: 2 }, YEARLY: { days: 366, count: 1 } }
type Interval = keyof typeof rounds

/** A member with a discount, and what they saw after the checkout. */
type Sold = { about: string; currency: string; redeemed: Redeemed; coupons: string[]; member: TestMember }

for (const [tax, { percent, words, env }] of Object.entries(taxes)) {
  const it = paymentMailTest({ env: { ...env, SITE_TIME_ZONE: timeZone, SITE_LANGUAGE: 'en' } })
    .extend('paymentOf', { scope: 'file' }, ({ site }) => async ({ member: { memberId } }: Sold) => {
      const [plan] = paidPlansOf(await site.context.members.get(await site.context.apps.siteApp(), memberId))
      if (plan?.payment == null) throw new Error('The member pays nothing.')
      return plan.payment
    })
    /** Subscribes a member. */
    .extend('sell', { scope: 'file' }, ({ payments, members, stripe }) => {
      return async (interval: Interval, name: string, currency: string): Promise<Sold> => {
        const redeemed = discounts[name]
        if (redeemed === undefined) throw new Error(`There is no discount ${name}.`)
        const coupons: string[] = []
        for (const coupon of redeemed.coupons(currency))
          coupons.push((await stripe.coupons.create({ ...coupon, metadata: { public: 'true' } })).id)
        const member = await members.signUp()
        const couponId = redeemed.at === 'checkout' ? coupons[0] : undefined
        const page = await payments.openCheckout(member, `prc_${currency}-${interval}`, { couponId })
        await payments.controls.completeCheckout(page)
        return { about: `${name} ${currency}`, currency, redeemed, coupons, member }
      }
    })
    /** Redeems what was not redeemed at the checkout. */
    .extend('redeem', { scope: 'file' }, ({ payments, stripe, actions }) => {
      return async ({ member, redeemed: { at }, coupons }: Sold): Promise<void> => {
        const { id, customer } = await actions.subscriptionOf(member)
        if (at === 'subscription')
          await stripe.subscriptions.update(id, { discounts: coupons.map((coupon) => ({ coupon })) })
        if (at === 'customer')
          for (const coupon of coupons) await payments.controls.discountCustomer(String(customer), coupon)
      }
    })
    /** Returns the text of a member's welcome email. */
    .extend('welcomeOf', { scope: 'file' }, ({ inbox }) => async ({ member }: Sold) => {
      const mails = await inbox.mailsTo(member.email)
      const mail = mails.find(({ subject }) => subject.startsWith('Welcome'))
      return mail?.text.replaceAll('\u00a0', ' ') ?? ''
    })
    /** Returns a member's latest invoice, with its total in major units. */
    .extend('chargeOf', { scope: 'file' }, ({ stripe, actions }) => async ({ member, currency }: Sold) => {
      const customer = await actions.customerOf(member)
      const [invoice] = (await stripe.invoices.list({ customer, limit: 1 })).data
      if (invoice === undefined) throw new Error('There is no invoice.')
      return {
        seconds: invoice.created,
        total: currency === 'jpy' ? invoice.total : invoice.total / 100,
      }
    })

  describe(`the price that a member sees, with ${tax}`, () => {
    it.beforeAll(async ({ site, payments }) => {
      await addPlans(site, ['usd', 'jpy'].flatMap(plansIn))
      await site.context.syncCatalog(() => {})
      await payments.controls.setTax(percent)
    })
    it.afterEach(({ actions }) => actions.cancelAll())

    it.for(['MONTHLY', 'YEARLY'] as const)(
      'is what Stripe charges, in site, API and mail: %s',
      { timeout: 60_000 },
      async (interval, { payments, actions, sell, redeem, paymentOf, welcomeOf, chargeOf }) => {
        const sold: Sold[] = []
        for (const [name, currency] of sales) sold.push(await sell(interval, name, currency))
        await payments.settle()
        await actions.waitForEmails()
        for (const one of sold) {
          const payment = await paymentOf(one)
          const text = await welcomeOf(one)
          expect(text, one.about).toContain(`Price: ${sentenceOf(payment)}\n`)
          expect(text, one.about).toContain(`Next payment: ${nextPaymentOf(payment)}\n`)
          const [, expected] =
            Object.entries(sentences[interval]).find(([about]) => about === one.about) ?? []
          const said = sentenceOf(payment).replace(/until [A-Z]\w+ \d+, \d+( \(UTC\))?/, 'until DAY')
          if (expected !== undefined) expect(said).toBe(withWords(expected, words))
        }

        for (const one of sold) await redeem(one)
        await payments.settle()
        const atFirst = new Map<Sold, Payment>()
        for (const one of sold) atFirst.set(one, await paymentOf(one))
        for (let round = 1; round <= rounds[interval].count; round += 1) {
          const shown = new Map<Sold, Payment>()
          for (const one of sold) shown.set(one, await paymentOf(one))
          await actions.pass(rounds[interval].days)
          for (const one of sold) {
            const { seconds, total } = await chargeOf(one)
            const at = `${one.about}, payment ${round}`
            expect(shown.get(one)?.renewal?.amounts[0]?.amount, at).toBe(total)
            expect(shown.get(one)?.nextBillingDate, at).toBe(new Date(seconds * 1000).toISOString())
            expect(shownAt(atFirst.get(one), seconds), `${at}, as shown at first`).toBe(total)
          }
        }
      },
    )
  })
}

function plansIn(currency: string) {
  const [month, year] = currency === 'usd' ? [4.99, 49.99] : [499, 4_999]
  const price = (interval: Interval, amount: number) => {
    return [{ id: `prc_${currency}-${interval}`, amount, currency, interval }]
  }
  return [
    { id: `pln_m-${currency}`, name: `Monthly ${currency}`, prices: price('MONTHLY', month) },
    { id: `pln_y-${currency}`, name: `Yearly ${currency}`, prices: price('YEARLY', year) },
  ]
}

/** Returns the next payment as emails name it. */
function nextPaymentOf({ renewal, currency, nextBillingDate }: Payment): string {
  const total = renewal && totalWithTax(renewal)
  const day = formatBillingDay(new Date(nextBillingDate ?? ''), timeZone, 'en')
  return total == null ? day : `${formatMajorUnits(total, currency, 'en')} on ${day}`
}

function withWords(sentence: string, words: string): string {
  if (words === '') return sentence
  return sentence.includes('then') ? `${sentence}, ${words}` : `${sentence} ${words}`
}
