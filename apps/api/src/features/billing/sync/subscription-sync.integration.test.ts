import { describe, expect, vi } from 'vitest'
import { paymentMailTest } from '#test/fixtures.ts'
import { createTestMembers, type TestMember } from '#test/membership.ts'
import { waitForNotifications } from '#test/other-processes.ts'
import { paidPlansOf, testCards } from '#test/payments/payment-actions.ts'
import { testPrices } from '#test/sites/payment-site.ts'
import { useTestApp } from '#test/test-app.ts'
import { waitOptions } from '#test/wait-options.ts'

const monthlyPlan = 'pln_monthly-4f8t2c6hz9'
const yearlyPlan = 'pln_yearly-9b5s7j3dy6'
let ann: TestMember

const it = paymentMailTest()
  .extend('soldPrice', { scope: 'file' }, ({ site }) => async (priceId: string): Promise<string> => {
    const row = await site.context.database.db.stripePrice.findFirstOrThrow({ where: { priceId } })
    return row.id
  })
  .extend('subjectsTo', { scope: 'file' }, ({ emailsTo }) => async (member: TestMember) => {
    return (await emailsTo(member)).map(({ subject }) => subject)
  })
  /** Creates a customer without a subscription for a member. */
  .extend(
    'becomeCustomer',
    { scope: 'file' },
    ({ payments, actions }) =>
      async (member: TestMember, card: string | null = testCards.good): Promise<string> => {
        await payments.openCheckout(member, testPrices.monthly)
        if (card !== null) await actions.changeCard(member, card)
        return await actions.customerOf(member)
      },
  )

it.beforeEach(async ({ members }) => {
  ann = await members.signUp()
})

describe('two paid checkouts', () => {
  it.for([
    ['for the same price', testPrices.monthly, testPrices.monthly, 499, '$4.99'],
    ['for different prices', testPrices.monthly, testPrices.yearly, 4_999, '$49.99'],
  ] as const)(
    'keep the first subscription and refund the second: %s',
    async ([_name, one, other, cents, amount], { payments, actions, inbox, subjectsTo }) => {
      const customer = await actions.payTwice(ann, { first: one, second: other })
      await payments.settle()

      const plans = paidPlansOf(await payments.memberOf(ann))
      expect(plans.filter(({ active }) => active).map((plan) => plan.planId)).toEqual([monthlyPlan])
      const [second, first] = await actions.subscriptionsOf(ann)
      expect([first?.status, second?.status]).toEqual(['active', 'canceled'])
      expect(await actions.refundedOf(customer)).toEqual([0, cents])
      expect(await subjectsTo(ann)).toEqual(
        expect.arrayContaining([
          'Welcome to Tidings: your plan is active',
          'We refunded your second payment to Tidings',
        ]),
      )
      expect(await subjectsTo(ann)).toHaveLength(2)
      const mail = await inbox.mailTo(ann.email, 'Refunded')
      expect(mail.text).toContain(`Refunded: ${amount}`)
    },
  )

  it('keep one subscription when both webhooks arrive before a sync', async ({
    payments,
    actions,
    subjectsTo,
  }) => {
    await payments.controls.setWebhooks({ mode: 'hold' })
    const pages = [
      await payments.openCheckout(ann, testPrices.yearly),
      await payments.openSecondCheckout(ann, testPrices.yearly),
    ]
    for (const page of pages) await payments.controls.completeCheckout(page)
    await payments.controls.setWebhooks({ mode: 'on' })
    await payments.settle()
    const running = (await actions.subscriptionsOf(ann)).filter(({ status }) => status === 'active')
    expect(running).toHaveLength(1)
    expect(paidPlansOf(await payments.memberOf(ann))).toMatchObject([{ planId: yearlyPlan, active: true }])
    expect((await subjectsTo(ann)).filter((subject) => subject.includes('second payment'))).toHaveLength(1)
  })

  it.for([
    ['refund', 'POST /v1/refunds'],
    ['cancellation', 'DELETE /v1/subscriptions'],
  ] as const)(
    'keep one subscription and one payment when the response to the %s is lost',
    async ([_name, match], { payments, actions, stripe, subjectsTo }) => {
      const pages = [
        await payments.openCheckout(ann, testPrices.yearly),
        await payments.openSecondCheckout(ann, testPrices.yearly),
      ]
      await payments.controls.addFault({ kind: 'reset-after', match, times: 4 })
      for (const page of pages) await payments.controls.completeCheckout(page)
      await vi.waitFor(async () => {
        const [second, first] = await actions.subscriptionsOf(ann)
        expect([first?.status, second?.status].toSorted()).toEqual(['active', 'canceled'])
        await payments.settle()
      }, waitOptions)
      await payments.controls.clearFaults()
      const { data: refunds } = await stripe.refunds.list({ limit: 100 })
      const customer = await actions.customerOf(ann)
      const { data: charges } = await stripe.charges.list({ customer })
      const ids = new Set(charges.map(({ id }) => id))
      expect(refunds.filter(({ charge }) => typeof charge === 'string' && ids.has(charge))).toHaveLength(1)
      expect((await subjectsTo(ann)).filter((subject) => subject.includes('second payment'))).toHaveLength(1)
    },
  )
})

describe('a subscription', () => {
  it('activates the plan once it is paid, and not after it has expired', async ({
    payments,
    actions,
    members,
    stripe,
    soldPrice,
    subjectsTo,
    becomeCustomer,
  }) => {
    const customer = await becomeCustomer(ann)
    const items = [{ price: await soldPrice(testPrices.monthly) }]
    const options = { customer, items, payment_behavior: 'default_incomplete' as const }
    const paid = await stripe.subscriptions.create(options)
    await payments.settle()
    expect(paidPlansOf(await payments.memberOf(ann))).toEqual([])
    const invoice = paid.latest_invoice
    await stripe.invoices.pay(typeof invoice === 'string' ? invoice : (invoice?.id ?? ''))
    await payments.settle()
    expect(paidPlansOf(await payments.memberOf(ann))).toMatchObject([{ active: true, status: 'ACTIVE' }])

    const ben = await members.signUp()
    await stripe.subscriptions.create({ ...options, customer: await becomeCustomer(ben) })
    await actions.pass(2)
    expect((await actions.subscriptionOf(ben)).status).toBe('incomplete_expired')
    expect(paidPlansOf(await actions.memberNow(ben))).toEqual([])
    expect(await subjectsTo(ben)).toEqual([])
  })

  it('with a trial activates the plan, and is past due when it ends without a card', async ({
    payments,
    actions,
    stripe,
    soldPrice,
    becomeCustomer,
  }) => {
    const customer = await becomeCustomer(ann, null)
    await stripe.subscriptions.create({
      customer,
      items: [{ price: await soldPrice(testPrices.monthly) }],
      trial_period_days: 10,
    })
    await payments.settle()
    const trying = await payments.memberOf(ann)
    expect(paidPlansOf(trying)).toMatchObject([{ active: true, status: 'TRIALING' }])
    expect(trying.permissions).toEqual(['paid'])

    await actions.pass(11)
    expect(paidPlansOf(await actions.memberNow(ann))).toMatchObject([{ status: 'PAST_DUE' }])
  })

  it('stays active when its payment is refunded', async ({ payments, actions, stripe }) => {
    await payments.subscribe(ann, testPrices.monthly)
    await stripe.refunds.create({ charge: await actions.chargeOf(ann) })
    await payments.settle()
    const member = await payments.memberOf(ann)
    expect(paidPlansOf(member)).toMatchObject([{ active: true, status: 'ACTIVE' }])
    expect(member.permissions).toEqual(['paid'])
  })
})

describe('subscriptionSync', () => {
  it('is idempotent: concurrent syncs create and report one plan', async ({
    payments,
    actions,
    site,
    subjectsTo,
  }) => {
    await actions.disableWebhooks()
    await payments.controls.completeCheckout(await payments.openCheckout(ann, testPrices.monthly))
    const customer = await actions.customerOf(ann)
    const { subscriptionSync } = site.context
    const made = await Promise.all(Array.from({ length: 10 }, () => subscriptionSync.sync(customer)))
    await subscriptionSync.sync(customer)
    expect(made.flat()).toEqual([
      { memberId: ann.memberId, planId: monthlyPlan, before: 'none', after: 'ACTIVE' },
    ])
    expect(paidPlansOf(await payments.memberOf(ann))).toHaveLength(1)
    expect(await subjectsTo(ann)).toEqual(['Welcome to Tidings: your plan is active'])
  })

  it('does not affect free plans', async ({ payments }) => {
    const free = (await payments.memberOf(ann)).planConnections.filter(({ type }) => type === 'FREE')
    const member = await payments.subscribe(ann, testPrices.monthly)
    expect(member.planConnections.filter(({ type }) => type === 'FREE')).toEqual(free)
  })

  it('is visible at once in every process', async ({ payments, actions }) => {
    const other = await useTestApp({ databaseUrl: payments.databaseUrl, env: payments.env })
    const there = createTestMembers(other)
    const permissionsThere = async () => {
      await waitForNotifications(other)
      const reply = await there.call('GET', '/member', { headers: ann.headers })
      return reply.json().data.permissions
    }
    expect(await permissionsThere()).toEqual([])
    await payments.subscribe(ann, testPrices.monthly)
    expect(await permissionsThere()).toEqual(['paid'])
    await actions.cancelAtStripe(ann)
    await payments.settle()
    expect(await permissionsThere()).toEqual([])
  })
})
