import { afterAll, beforeAll, beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest'
import { startInbox, type TestInbox } from '#test/inbox.ts'
import type { TestMember } from '#test/membership.ts'
import { createTestMembers } from '#test/membership.ts'
import { waitForNotifications } from '#test/other-processes.ts'
import { createPaymentActions, type PaymentActions, paidPlansOf, testCards } from '#test/payment-actions.ts'
import { type PaymentSite, startPaymentSite, testPrices } from '#test/payment-site.ts'
import { useTestApp } from '#test/test-app.ts'
import { waitOptions } from '#test/wait-options.ts'

const monthlyPlan = 'pln_monthly-4f8t2c6hz9'
const yearlyPlan = 'pln_yearly-9b5s7j3dy6'

let inbox: TestInbox
let at: PaymentSite
let actions: PaymentActions
let ann: TestMember
beforeAll(async () => {
  inbox = await startInbox()
  at = await startPaymentSite({ env: { SMTP_URL: inbox.smtpUrl } })
  actions = createPaymentActions(at)
})
afterAll(async () => {
  await at.close()
  await inbox.stop()
})
beforeEach(async () => {
  ann = await at.members.signUp()
})

async function soldPrice(priceId: string): Promise<string> {
  const row = await at.site.context.database.db.stripePrice.findFirstOrThrow({ where: { priceId } })
  return row.id
}

async function subjectsTo({ email }: TestMember): Promise<string[]> {
  await actions.waitForEmails()
  const subjects = (await inbox.mailsTo(email)).map(({ subject }) => subject).reverse()
  // Without the sign-up code.
  return subjects.filter((subject) => !subject.endsWith('code'))
}

/** Creates a customer without a subscription for a member. */
async function becomeCustomer(member: TestMember, card: string | null = testCards.good): Promise<string> {
  await at.openCheckout(member, testPrices.monthly)
  if (card !== null) await actions.changeCard(member, card)
  return await actions.customerOf(member)
}

describe('two paid checkouts', () => {
  it.each([
    ['for the same price', testPrices.monthly, testPrices.monthly, monthlyPlan, '$4.99'],
    ['for different prices', testPrices.monthly, testPrices.yearly, monthlyPlan, '$49.99'],
  ])('keep the first subscription and refund the second: %s', async (_name, one, other, planId, amount) => {
    const pages = [await at.openCheckout(ann, one), await at.openSecondCheckout(ann, other)]
    for (const page of pages) {
      await at.controls.completeCheckout(page)
      at.site.clock.pass(1_000)
    }
    await at.settle()

    const plans = paidPlansOf(await at.memberOf(ann))
    expect(plans.filter(({ active }) => active).map((plan) => plan.planId)).toEqual([planId])
    const [second, first] = await actions.subscriptionsOf(ann)
    expect([first?.status, second?.status]).toEqual(['active', 'canceled'])
    const { data: charges } = await at.stripe.charges.list({ customer: await actions.customerOf(ann) })
    expect(charges.map((charge) => charge.refunded)).toEqual([true, false])
    expect(await subjectsTo(ann)).toEqual(
      expect.arrayContaining([
        'Welcome to Tidings: your plan is active',
        'We refunded your second payment to Tidings',
      ]),
    )
    expect(await subjectsTo(ann)).toHaveLength(2)
    const mail = await inbox.mailTo(ann.email, 'Refunded')
    expect(mail.text).toContain(`Refunded: ${amount}`)
  })

  it('keep one subscription when both webhooks arrive before a sync', async () => {
    await at.controls.setWebhooks({ mode: 'hold' })
    const pages = [
      await at.openCheckout(ann, testPrices.yearly),
      await at.openSecondCheckout(ann, testPrices.yearly),
    ]
    for (const page of pages) await at.controls.completeCheckout(page)
    await at.controls.setWebhooks({ mode: 'on' })
    await at.settle()
    const running = (await actions.subscriptionsOf(ann)).filter(({ status }) => status === 'active')
    expect(running).toHaveLength(1)
    expect(paidPlansOf(await at.memberOf(ann))).toMatchObject([{ planId: yearlyPlan, active: true }])
    expect((await subjectsTo(ann)).filter((subject) => subject.includes('second payment'))).toHaveLength(1)
  })

  it.each([
    ['refund', 'POST /v1/refunds'],
    ['cancellation', 'DELETE /v1/subscriptions'],
  ])('keep one subscription and one payment when the response to the %s is lost', async (_name, match) => {
    const pages = [
      await at.openCheckout(ann, testPrices.yearly),
      await at.openSecondCheckout(ann, testPrices.yearly),
    ]
    await at.controls.addFault({ kind: 'reset-after', match, times: 4 })
    for (const page of pages) await at.controls.completeCheckout(page)
    await vi.waitFor(async () => {
      const [second, first] = await actions.subscriptionsOf(ann)
      expect([first?.status, second?.status].toSorted()).toEqual(['active', 'canceled'])
      await at.settle()
    }, waitOptions)
    await at.controls.clearFaults()
    const { data: refunds } = await at.stripe.refunds.list({ limit: 100 })
    const customer = await actions.customerOf(ann)
    const { data: charges } = await at.stripe.charges.list({ customer })
    const ids = new Set(charges.map(({ id }) => id))
    expect(refunds.filter(({ charge }) => typeof charge === 'string' && ids.has(charge))).toHaveLength(1)
    expect((await subjectsTo(ann)).filter((subject) => subject.includes('second payment'))).toHaveLength(1)
  })
})

describe('a subscription', () => {
  it('activates the plan once it is paid, and not after it has expired', async () => {
    const customer = await becomeCustomer(ann)
    const items = [{ price: await soldPrice(testPrices.monthly) }]
    const options = { customer, items, payment_behavior: 'default_incomplete' as const }
    const paid = await at.stripe.subscriptions.create(options)
    await at.settle()
    expect(paidPlansOf(await at.memberOf(ann))).toEqual([])
    const invoice = paid.latest_invoice
    await at.stripe.invoices.pay(typeof invoice === 'string' ? invoice : (invoice?.id ?? ''))
    await at.settle()
    expect(paidPlansOf(await at.memberOf(ann))).toMatchObject([{ active: true, status: 'ACTIVE' }])

    const ben = await at.members.signUp()
    await at.stripe.subscriptions.create({ ...options, customer: await becomeCustomer(ben) })
    await actions.pass(2)
    expect((await actions.subscriptionOf(ben)).status).toBe('incomplete_expired')
    expect(paidPlansOf(await actions.memberNow(ben))).toEqual([])
    expect(await subjectsTo(ben)).toEqual([])
  })

  it('with a trial activates the plan, and is past due when it ends without a card', async () => {
    const customer = await becomeCustomer(ann, null)
    await at.stripe.subscriptions.create({
      customer,
      items: [{ price: await soldPrice(testPrices.monthly) }],
      trial_period_days: 10,
    })
    await at.settle()
    const trying = await at.memberOf(ann)
    expect(paidPlansOf(trying)).toMatchObject([{ active: true, status: 'TRIALING' }])
    expect(trying.permissions).toEqual(['paid'])

    await actions.pass(11)
    expect(paidPlansOf(await actions.memberNow(ann))).toMatchObject([{ status: 'PAST_DUE' }])
  })

  it('stays active when its payment is refunded', async () => {
    await at.subscribe(ann, testPrices.monthly)
    await at.stripe.refunds.create({ charge: await actions.chargeOf(ann) })
    await at.settle()
    const member = await at.memberOf(ann)
    expect(paidPlansOf(member)).toMatchObject([{ active: true, status: 'ACTIVE' }])
    expect(member.permissions).toEqual(['paid'])
  })
})

describe('subscriptionSync', () => {
  it('never overwrites a newer state with an older one', async () => {
    await at.subscribe(ann, testPrices.monthly)
    const customer = await actions.customerOf(ann)
    const { id } = await actions.subscriptionOf(ann)
    const { subscriptionSync } = at.site.context
    await at.controls.setWebhooks({ mode: 'off' })
    onTestFinished(async () => void (await at.controls.setWebhooks({ mode: 'on' })))

    // The first sync gets a response that is outdated when it arrives.
    await at.controls.addFault({ kind: 'late', match: 'GET /v1/subscriptions', delayMs: 1_000 })
    const older = subscriptionSync.sync(customer)
    await vi.waitFor(async () => {
      const faults = await fetch(new URL('/stripe/faults', at.stripeUrl))
      expect(await faults.json()).toEqual({ faults: [] })
    }, waitOptions)
    await at.stripe.subscriptions.cancel(id)
    const newer = await subscriptionSync.sync(customer)

    expect(newer).toMatchObject([{ before: 'ACTIVE', after: 'CANCELED' }])
    expect(await older).toEqual([])
    expect(paidPlansOf(await at.memberOf(ann))).toMatchObject([{ active: false, status: 'CANCELED' }])
  })

  it('is idempotent: concurrent syncs create and report one plan', async () => {
    await at.controls.setWebhooks({ mode: 'off' })
    await at.controls.completeCheckout(await at.openCheckout(ann, testPrices.monthly))
    await at.controls.setWebhooks({ mode: 'on' })
    const customer = await actions.customerOf(ann)
    const { subscriptionSync } = at.site.context
    const made = await Promise.all(Array.from({ length: 10 }, () => subscriptionSync.sync(customer)))
    await subscriptionSync.sync(customer)
    expect(made.flat()).toEqual([
      { memberId: ann.memberId, planId: monthlyPlan, before: 'none', after: 'ACTIVE' },
    ])
    expect(paidPlansOf(await at.memberOf(ann))).toHaveLength(1)
    expect(await subjectsTo(ann)).toEqual(['Welcome to Tidings: your plan is active'])
  })

  it('does not affect free plans', async () => {
    const free = (await at.memberOf(ann)).planConnections.filter(({ type }) => type === 'FREE')
    const member = await at.subscribe(ann, testPrices.monthly)
    expect(member.planConnections.filter(({ type }) => type === 'FREE')).toEqual(free)
  })

  it('is visible at once in every process', async () => {
    const other = await useTestApp({ databaseUrl: at.databaseUrl, env: at.env })
    const there = createTestMembers(other)
    const permissionsThere = async () => {
      await waitForNotifications(other)
      const reply = await there.call('GET', '/member', { headers: ann.headers })
      return reply.json().data.permissions
    }
    expect(await permissionsThere()).toEqual([])
    await at.subscribe(ann, testPrices.monthly)
    expect(await permissionsThere()).toEqual(['paid'])
    await at.stripe.subscriptions.cancel((await actions.subscriptionOf(ann)).id)
    await at.settle()
    expect(await permissionsThere()).toEqual([])
  })
})
