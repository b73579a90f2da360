import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { type ReceivedMail, startInbox, type TestInbox } from '#test/inbox.ts'
import type { TestMember } from '#test/membership.ts'
import { createPaymentActions, type PaymentActions, paidPlansOf, testCards } from '#test/payment-actions.ts'
import { type PaymentSite, startPaymentSite, testPrices } from '#test/payment-site.ts'

const welcome = 'Welcome to Tidings: your plan is active'
const failed = 'Your payment to Tidings failed'
const closed = 'Your Tidings plan is on hold'
const ended = 'Your Tidings plan has ended'

let inbox: TestInbox
let at: PaymentSite
let actions: PaymentActions
let ann: TestMember
beforeAll(async () => {
  inbox = await startInbox()
})
afterAll(() => inbox.stop())
beforeEach(async () => {
  at = await startPaymentSite({ env: { SMTP_URL: inbox.smtpUrl, SITE_TIME_ZONE: 'America/Los_Angeles' } })
  actions = createPaymentActions(at)
  const email = `ann-${at.site.context.ids.uuid()}@example.com`
  ann = await at.members.signUp({ email })
  // Every webhook is sent twice and out of order.
  await at.controls.setWebhooks({ chaos: { duplication: 1, reordering: 0.5, seed: 3 } })
})
afterEach(() => at.close())

/** Syncs a few more times, waits for the emails and returns those about the plan, oldest first. */
async function planEmails(): Promise<ReceivedMail[]> {
  await at.settle()
  const customer = await actions.customerOf(ann)
  const { subscriptionSync } = at.site.context
  await Promise.all([1, 2, 3].map(() => subscriptionSync.sync(customer)))
  await at.site.context.reconciliation.reconcile()
  await actions.waitForEmails()
  const mails = await inbox.mailsTo(ann.email)
  // Without the sign-up code.
  return mails.filter(({ subject }) => !subject.endsWith('code')).reverse()
}

function subjectsOf(mails: readonly ReceivedMail[]): string[] {
  return mails.map(({ subject }) => subject)
}

describe('a member gets one email', () => {
  beforeEach(async () => {
    await at.subscribe(ann, testPrices.monthly)
  })

  it('for a new plan, with the price, the next payment and the receipt', async () => {
    const mails = await planEmails()
    expect(subjectsOf(mails)).toEqual([welcome])
    const { latest_invoice: invoice } = await actions.subscriptionOf(ann)
    const { hosted_invoice_url: url } = await at.stripe.invoices.retrieve(String(invoice))
    expect(mails[0]?.text).toContain('Plan: Monthly\n')
    expect(mails[0]?.text).toContain('Price: $4.99 a month\n')
    expect(mails[0]?.text).toContain('Next payment: December 20, 2026\n')
    expect(mails[0]?.text.split('\n')).toContain(url)
  })

  it('for the new plan, and none for paid renewals', async () => {
    await actions.pass(31)
    await actions.pass(31)
    expect(subjectsOf(await planEmails())).toEqual([welcome])
  })

  it('for each scheduled cancellation and each resumption', async () => {
    const { id } = await actions.subscriptionOf(ann)
    for (const ends of [true, false, true]) {
      await at.stripe.subscriptions.update(id, { cancel_at_period_end: ends })
      await at.settle()
    }
    await actions.pass(31)
    const mails = await planEmails()
    expect(subjectsOf(mails)).toEqual([
      welcome,
      'Your Tidings plan ends on December 20, 2026',
      'Your Tidings plan continues',
      'Your Tidings plan ends on December 20, 2026',
      ended,
    ])
    expect(mails.at(-1)?.text).toContain('/#/account/change-plan')
  })

  it('for an immediate plan change', async () => {
    const body = { priceId: testPrices.yearly }
    await at.members.call('POST', '/member/plans/change', { headers: ann.headers, body })
    const mails = await planEmails()
    expect(subjectsOf(mails)).toEqual([welcome, 'Your Tidings plan was changed'])
    expect(mails[1]?.text).toContain(
      'Old plan: Monthly\nNew plan: Yearly\nCharged: $45.00\nPrice: $49.99 a year\n',
    )
    expect(mails[1]?.text).toContain('We credited the unused time')
  })

  it('for a dispute', async () => {
    await at.controls.openDispute(await actions.chargeOf(ann))
    await actions.waitForStatus(ann, 'CANCELED')
    expect(subjectsOf(await planEmails())).toEqual([
      welcome,
      'Your Tidings plan was canceled after a payment dispute',
    ])
  })

  it('for a failed payment with the page to pay on, despite several attempts', async () => {
    await actions.changeCard(ann, testCards.failsLater)
    await actions.pass(31)
    await actions.pass(3)
    const mails = await planEmails()
    expect(subjectsOf(mails)).toEqual([welcome, failed])
    const text = mails[1]?.text ?? ''
    expect(text).toContain('Amount due: $4.99\nPay by: December 27, 2026\n')
    const page = text.split('\n').find((line) => line.startsWith(`${at.stripeUrl}/stripe/invoices/`))
    if (page === undefined) throw new Error(`There is no page to pay on in: ${text}`)

    const paid = await fetch(page, {
      method: 'POST',
      body: new URLSearchParams({ card: '4242424242424242' }),
    })
    expect(paid.status).toBe(200)
    await at.settle()
    expect(paidPlansOf(await actions.memberNow(ann))).toMatchObject([
      { active: true, status: 'ACTIVE', payment: { status: 'PAID' } },
    ])
    expect(subjectsOf(await planEmails())).toEqual([welcome, failed])
  })

  it('for each failed renewal', async () => {
    for (let month = 0; month < 2; month += 1) {
      await actions.changeCard(ann, testCards.failsLater)
      await actions.pass(30)
      await actions.changeCard(ann, testCards.good)
      const { latest_invoice: invoice } = await actions.subscriptionOf(ann)
      await at.stripe.invoices.pay(String(invoice))
      await actions.pass(1)
    }
    expect(subjectsOf(await planEmails())).toEqual([welcome, failed, failed])
  })

  it('for the end of the grace period, with the page to pay on', async () => {
    await actions.changeCard(ann, testCards.failsLater)
    await actions.pass(30)
    const before = await planEmails()
    at.site.clock.pass(8 * 24 * 3_600_000)
    await at.site.context.reconciliation.sweep()
    const [mail, ...more] = (await planEmails()).slice(before.length)
    expect([mail?.subject, more]).toEqual([closed, []])
    expect(mail?.text).toContain('Plan: Monthly\nAmount due: $4.99\n')
    const { latest_invoice: invoice } = await actions.subscriptionOf(ann)
    const { hosted_invoice_url: url } = await at.stripe.invoices.retrieve(String(invoice))
    expect(mail?.text.split('\n')).toContain(url)
  })

  it('for the end of the plan when the customer is deleted at Stripe', async () => {
    await at.stripe.customers.del(await actions.customerOf(ann))
    expect(subjectsOf(await planEmails())).toEqual([welcome, ended])
    expect(paidPlansOf(await actions.memberNow(ann))).toMatchObject([{ active: false, status: 'CANCELED' }])
  })

  it('for the end of the plan after the last failed attempt', async () => {
    await actions.changeCard(ann, testCards.failsLater)
    await actions.pass(30)
    await actions.pass(16)
    expect(subjectsOf(await planEmails())).toEqual([welcome, failed, `${ended} because a payment failed`])
  })
})

describe('a member with a yearly plan gets one email', () => {
  it('for each scheduled, canceled and applied change, with the discounted price', async () => {
    const { id: couponId } = await at.stripe.coupons.create({
      percent_off: 50,
      duration: 'forever',
      metadata: { public: 'true' },
    })
    await at.controls.completeCheckout(await at.openCheckout(ann, testPrices.yearly, { couponId }))
    await at.settle()
    const change = async (priceId: string) => {
      await at.members.call('POST', '/member/plans/change', { headers: ann.headers, body: { priceId } })
      return await planEmails()
    }
    await change(testPrices.monthly)
    const [begun, , stayed] = await change(testPrices.yearly)
    expect(begun?.text).toContain('Plan: Yearly\nCharged: $24.99\nPrice: $24.99 a year\n')
    expect(stayed?.subject).toBe('Your Tidings plan stays the same')
    expect(stayed?.text).toContain('Plan: Yearly\nCanceled change: Monthly\nPrice: $24.99 a year\n')
    const before = (await change(testPrices.monthly)).toSpliced(1, 2)
    expect(subjectsOf(before)).toEqual([welcome, 'Your Tidings plan changes on November 20, 2027'])
    expect(before[1]?.text).toContain(
      'Current plan: Yearly\nNew plan: Monthly\nStarts on: November 20, 2027\nPrice: $2.49 a month\n',
    )
    await actions.pass(366)
    const [changed, ...more] = (await planEmails()).slice(4)
    expect([changed?.subject, more]).toEqual(['Your Tidings plan was changed', []])
    expect(changed?.text).not.toContain('credited')
  })
})

describe('an unavailable mail server', () => {
  it('does not delay the plan', async () => {
    const unreachable = await startPaymentSite({ env: { SMTP_URL: 'smtp://127.0.0.1:1' } })
    try {
      const ben = await unreachable.members.signUp()
      expect(paidPlansOf(await unreachable.subscribe(ben, testPrices.monthly))).toMatchObject([
        { active: true },
      ])
    } finally {
      await unreachable.close()
    }
  })
})
