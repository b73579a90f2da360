import type { PlanConnection } from '@tidings/contracts/membership/members'
import { describePrice, formatBillingDay, totalWithTax } from '@tidings/contracts/membership/price-text'
import { formatMajorUnits } from '@tidings/contracts/money'
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

/** What is redeemed at the checkout, later for the subscription, or later for the customer. */
type Redeemed = { at: 'checkout' | 'subscription' | 'customer'; coupons: (currency: string) => Coupon[] }

const discounts: Record<string, Redeemed> = {
  none: { at: 'checkout', coupons: () => [] },
  repeating: { at: 'checkout', coupons: () => [repeating(33.3, 3)] },
  long: { at: 'checkout', coupons: () => [repeating(40, 14)] },
  free: { at: 'checkout', coupons: () => [repeating(100, 2)] },
  forever: { at: 'checkout', coupons: (currency) => [{ ...off(150, currency), duration: 'forever' }] },
  once: { at: 'subscription', coupons: () => [{ percent_off: 50, duration: 'once' }] },
  several: {
    at: 'subscription',
    coupons: (currency) => [
      repeating(25, 2),
      { ...off(50, currency), duration: 'repeating', duration_in_months: 4 },
      { percent_off: 10, duration: 'forever' },
    ],
  },
  'of the customer': { at: 'customer', coupons: () => [repeating(20, 3)] },
}

const taxes = {
  'no tax': { percent: 0, env: {} },
  'exclusive tax': { percent: 8.875, env: { STRIPE_TAX: 'on', STRIPE_TAX_BEHAVIOR: 'exclusive' } },
  'inclusive tax': { percent: 20, env: { STRIPE_TAX: 'on', STRIPE_TAX_BEHAVIOR: 'inclusive' } },
}

/** Returns the sentence of the site about a plan's price. */
function sentenceOf({ renewal, currency }: Payment): string {
  if (renewal === undefined) throw new Error('The price is not known.')
  return describePrice(renewal, {
    formatMoney: (amount) => formatMajorUnits(amount, currency, 'en'),
    formatDay: (instant) => formatBillingDay(instant, timeZone, 'en'),
  })
}

/** Returns what a payment at an instant was shown to charge. */
function shownAt({ renewal }: Payment, seconds: number): number | undefined {
  return renewal?.amounts.findLast(({ from }) => Date.parse(from) / 1000 <= seconds)?.amount
}

const rounds = { MONTHLY: { days: 31, count: 5 }, YEARLY: { days: 366, count: 2 } }

for (const [tax, { percent, env }] of Object.entries(taxes)) {
  const it = paymentMailTest({ env: { ...env, SITE_TIME_ZONE: timeZone, SITE_LANGUAGE: 'en' } })
    .extend('paymentOf', { scope: 'file' }, ({ site }) => async ({ memberId }: TestMember) => {
      const app = (await site.context.apps.directory()).byId.get(site.context.config.site.appId)
      if (app === undefined) throw new Error('There is no app.')
      const [plan] = paidPlansOf(await site.context.members.get(app, memberId))
      if (plan?.payment == null) throw new Error('The member pays nothing.')
      return plan.payment
    })
    /** Subscribes a member with a discount, and returns them with what the welcome email must say. */
    .extend('buy', { scope: 'file' }, ({ payments, members, stripe, actions, paymentOf }) => {
      return async (priceId: string, currency: string, { at, coupons }: Redeemed) => {
        const member = await members.signUp()
        const created: Stripe.Coupon[] = []
        for (const coupon of coupons(currency))
          created.push(await stripe.coupons.create({ ...coupon, metadata: { public: 'true' } }))
        const couponId = at === 'checkout' ? created[0]?.id : undefined
        await payments.controls.completeCheckout(await payments.openCheckout(member, priceId, { couponId }))
        await payments.settle()
        const welcome = await paymentOf(member)
        const { id } = await actions.subscriptionOf(member)
        if (at === 'subscription')
          await stripe.subscriptions.update(id, { discounts: created.map(({ id: coupon }) => ({ coupon })) })
        if (at === 'customer')
          for (const { id: coupon } of created)
            await payments.controls.discountCustomer(await actions.customerOf(member), coupon)
        return { member, welcome }
      }
    })

  describe(`the price that a member sees, with ${tax}`, () => {
    it.beforeAll(async ({ site, payments }) => {
      const price = (currency: string, interval: 'MONTHLY' | 'YEARLY', amount: number) => {
        return { id: `prc_${currency}-${interval}`, amount, currency, interval }
      }
      await addPlans(
        site,
        ['usd', 'jpy'].flatMap((currency) => {
          const [month, year] = currency === 'usd' ? [4.99, 49.99] : [499, 4_999]
          return [
            {
              id: `pln_m-${currency}`,
              name: `Monthly ${currency}`,
              prices: [price(currency, 'MONTHLY', month)],
            },
            {
              id: `pln_y-${currency}`,
              name: `Yearly ${currency}`,
              prices: [price(currency, 'YEARLY', year)],
            },
          ]
        }),
      )
      await site.context.syncCatalog(() => {})
      await payments.controls.setTax(percent)
    })
    it.afterEach(({ actions }) => actions.cancelAll())

    it.for(['MONTHLY', 'YEARLY'] as const)(
      'is what Stripe charges, in site, API and mail: %s',
      { timeout: 120_000 },
      async (interval, { payments, actions, stripe, inbox, buy, paymentOf }) => {
        const sold = []
        for (const [name, discount] of Object.entries(discounts))
          for (const currency of ['usd', 'jpy']) {
            const bought = await buy(`prc_${currency}-${interval}`, currency, discount)
            sold.push({ ...bought, about: `${name} ${currency}`, currency })
          }
        await payments.settle()
        await actions.waitForEmails()
        for (const { member, welcome, about, currency } of sold) {
          const [mail] = await inbox.mailsTo(member.email).then((mails) => {
            return mails.filter(({ subject }) => subject.startsWith('Welcome'))
          })
          const text = mail?.text.replaceAll('\u00a0', ' ') ?? ''
          expect(text, about).toContain(`Price: ${sentenceOf(welcome)}\n`)
          const total = welcome.renewal && totalWithTax(welcome.renewal)
          const charged = total == null ? '' : `${formatMajorUnits(total, currency, 'en')} on `
          expect(text, about).toContain(`Next payment: ${charged}`)
        }

        const first = new Map<TestMember, Payment>()
        for (const { member } of sold) first.set(member, await paymentOf(member))
        for (let round = 0; round < rounds[interval].count; round += 1) {
          const shown = new Map<TestMember, Payment>()
          for (const { member } of sold) shown.set(member, await paymentOf(member))
          await actions.pass(rounds[interval].days)
          for (const { member, about, currency } of sold) {
            const { data } = await stripe.invoices.list({
              customer: await actions.customerOf(member),
              limit: 1,
            })
            const [invoice] = data
            if (invoice === undefined) throw new Error('There is no invoice.')
            const charged = currency === 'jpy' ? invoice.total : invoice.total / 100
            const [before, atFirst] = [shown.get(member), first.get(member)]
            if (before === undefined || atFirst === undefined) throw new Error('Nothing was shown.')
            const at = `${about}, payment ${round + 1}`
            expect(before.renewal?.amounts[0]?.amount, at).toBe(charged)
            expect(before.nextBillingDate, at).toBe(new Date(invoice.created * 1000).toISOString())
            expect(shownAt(atFirst, invoice.created), `${at}, as shown at first`).toBe(charged)
          }
        }
      },
    )
  })
}
