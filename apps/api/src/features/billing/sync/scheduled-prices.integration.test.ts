import { planChangePreviewReply } from '@tidings/contracts/membership/billing'
import { formatMajorUnits } from '@tidings/contracts/membership/money'
import type Stripe from 'stripe'
import { describe, expect } from 'vitest'
import { refusalOf } from '#test/desk.ts'
import { paymentMailTest } from '#test/fixtures.ts'
import type { TestMember } from '#test/membership.ts'
import { paidPlansOf } from '#test/payments/payment-actions.ts'
import { testPrices } from '#test/sites/payment-site.ts'

/** An action of the merchant in the dashboard. */
type Act = (stripe: Stripe, about: { subscriptionId: string; coupon: string }) => Promise<unknown>

const give: Act = (stripe, { subscriptionId, coupon }) =>
  stripe.subscriptions.update(subscriptionId, { discounts: [{ coupon }] })
const remove: Act = (stripe, { subscriptionId }) =>
  stripe.subscriptions.update(subscriptionId, { discounts: '' })
const discard: Act = (stripe, { coupon }) => stripe.coupons.del(coupon)

const it = paymentMailTest()
  /** Calls an endpoint of plan changes after a new login. */
  .extend('changeTo', { scope: 'file' }, ({ members }) => {
    return async (member: TestMember, endpoint: 'change' | 'change/preview', priceId: string) => {
      const headers = members.headersOf(await members.logIn({ email: member.email }))
      return await members.call('POST', `/member/plans/${endpoint}`, { headers, body: { priceId } })
    }
  })
  /** Returns what each place says about the next payment of a member who changes to the monthly plan. */
  .extend(
    'shownTo',
    { scope: 'file' },
    ({ site, inbox, actions, changeTo }) =>
      async (member: TestMember) => {
        await site.context.renewalNotices.send()
        await actions.waitForEmails()
        const [plan] = paidPlansOf(await actions.memberNow(member))
        const preview = await changeTo(member, 'change/preview', testPrices.monthly)
        const textOf = async (words: string) => (await inbox.mailsTo(member.email, words))[0]?.text ?? ''
        return {
          dashboard: plan?.payment?.renewal?.amounts[0]?.amount,
          preview: planChangePreviewReply.parse(preview.json()).data.renewalAmount,
          scheduledEmail: await textOf('Your plan will change'),
          notice: await textOf('unless you cancel before then'),
        }
      },
  )

it.afterEach(({ actions }) => actions.cancelAll())

describe('the next payment after a scheduled change', () => {
  it.for<[what: string, before: Act | null, after: Act | null, amount: number]>([
    ['given before', give, null, 3.99],
    ['given before and removed after', give, remove, 3.99],
    ['given before and deleted after', give, discard, 3.99],
    ['given after', null, give, 4.99],
  ])(
    'is the charged one at every place with a coupon %s',
    async ([, before, after, amount], { payments, members, stripe, actions, changeTo, shownTo }) => {
      const ann = await members.signUp()
      await payments.subscribe(ann, testPrices.yearly)
      const { id: coupon } = await stripe.coupons.create({ percent_off: 20, duration: 'forever' })
      const about = { subscriptionId: (await actions.subscriptionOf(ann)).id, coupon }
      await before?.(stripe, about)
      await payments.settle()
      await changeTo(ann, 'change', testPrices.monthly)
      await after?.(stripe, about)
      await payments.settle()
      await actions.pass(340)

      const shown = await shownTo(ann)
      const money = formatMajorUnits(amount, 'usd', 'en')
      expect(shown).toEqual({
        dashboard: amount,
        preview: amount,
        scheduledEmail: expect.stringContaining(`${money} a month`),
        notice: expect.stringContaining(`We’ll charge you ${money} that day`),
      })
      await actions.pass(26)
      const customer = await actions.customerOf(ann)
      const [charged] = (await stripe.invoices.list({ customer, limit: 1 })).data
      expect(charged).toMatchObject({ total: Math.round(amount * 100), status: 'paid' })
    },
  )
})

describe('the next payment after a phase of the merchant’s schedule at the same price', () => {
  it.for<[what: string, quantity: number, amount: number]>([
    ['for two', 2, 9.98],
    ['with a coupon', 1, 3.99],
  ])('is the charged one at every place: %s', async (row, { members, stripe, site, actions, inbox }) => {
    const [, quantity, amount] = row
    const ann = await actions.subscriber(testPrices.monthly)
    const { id, items } = await actions.subscriptionOf(ann)
    const price = items.data[0]?.price.id ?? ''
    const { id: coupon } = await stripe.coupons.create({ percent_off: 20, duration: 'forever' })
    const schedule = await stripe.subscriptionSchedules.create({ from_subscription: id })
    const { start_date = 0, end_date = 0 } = schedule.phases[0] ?? {}
    await stripe.subscriptionSchedules.update(schedule.id, {
      phases: [
        { start_date, end_date, items: [{ price }] },
        { items: [{ price, quantity }], discounts: quantity > 1 ? '' : [{ coupon }] },
      ],
    })
    await actions.pass(15)
    await site.context.renewalNotices.send()
    await actions.waitForEmails()
    const [plan] = paidPlansOf(await actions.memberNow(ann))
    const [notice] = await inbox.mailsTo(ann.email, 'unless you cancel before then')
    const money = formatMajorUnits(amount, 'usd', 'en')
    expect(plan?.payment?.renewal?.amounts).toMatchObject([{ amount }])
    expect(notice?.text).toContain(`Price until then: $4.99 a month\nNew price: ${money} a month\n`)
    const headers = members.headersOf(await members.logIn({ email: ann.email }))
    const body = { priceId: testPrices.monthly }
    const kept = await members.call('POST', '/member/plans/change', { headers, body })
    expect(refusalOf(kept).code).toBe('already-have-plan')
    await actions.pass(17)
    const [charged] = (await stripe.invoices.list({ subscription: id, limit: 1 })).data
    expect(charged).toMatchObject({ total: Math.round(amount * 100), status: 'paid' })
  })
})
