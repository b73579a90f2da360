import { describe, expect } from 'vitest'
import { paymentMailTest, paymentTest } from '#test/fixtures.ts'
import type { ReceivedMail } from '#test/mail/inbox.ts'
import type { TestMember } from '#test/membership.ts'
import { paidPlansOf, testCards } from '#test/payments/payment-actions.ts'
import { testPrices } from '#test/sites/payment-site.ts'

const welcome = 'Welcome to Tidings: your plan is active'
const failed = 'Your payment to Tidings failed'
const wentThrough = 'Your payment to Tidings went through'
const closed = 'Your Tidings plan is on hold'
const reopened = 'Your Tidings plan is open again'
const ended = 'Your Tidings plan has ended'
const daySeconds = 24 * 3_600
const [utcDates, siteDates] = ['UTC', 'America/Los_Angeles'].map(
  (timeZone) => new Intl.DateTimeFormat('en-US', { dateStyle: 'long', timeZone }),
)

const it = paymentMailTest({ env: { SITE_TIME_ZONE: 'America/Los_Angeles' } })
  .extend('ann', ({ members }) => members.signUp())
  /** Syncs a few more times, waits for the emails and returns those about the plan, oldest first. */
  .extend('planEmails', ({ ann, actions, emailsTo, payments, site }) => async () => {
    await payments.settle()
    const customer = await actions.customerOf(ann)
    const { subscriptionSync, reconciliation } = site.context
    await Promise.all([1, 2, 3].map(() => subscriptionSync.sync(customer)))
    await reconciliation.reconcile()
    return await emailsTo(ann)
  })
  /** Returns the end of a member's paid period, in seconds. */
  .extend('periodEnd', { scope: 'file' }, ({ actions }) => async (member: TestMember) => {
    const { items } = await actions.subscriptionOf(member)
    return items.data[0]?.current_period_end ?? Number.NaN
  })
  /** Advances the clocks to the next payment of a member. */
  .extend(
    'passToRenewal',
    { scope: 'file' },
    ({ actions, periodEnd, site }) =>
      async (member: TestMember) => {
        const seconds = (await periodEnd(member)) - site.clock.now().getTime() / 1_000
        await actions.pass(seconds / daySeconds)
      },
  )

it.beforeAll(async ({ payments }) => {
  // Every webhook is sent twice and out of order.
  await payments.controls.setWebhooks({ chaos: { duplication: 1, reordering: 0.5, seed: 3 } })
})
it.afterEach(({ actions }) => actions.cancelAll())

/** Formats an instant in seconds, as emails do. */
function dateOf(seconds: number): string {
  const day = utcDates?.format(seconds * 1_000) ?? ''
  return siteDates?.format(seconds * 1_000) === day ? day : `${day} (UTC)`
}

function subjectsOf(mails: readonly ReceivedMail[]): string[] {
  return mails.map(({ subject }) => subject)
}

describe('a member gets one email', () => {
  it.beforeEach(async ({ payments, ann }) => {
    await payments.subscribe(ann, testPrices.monthly)
  })

  it('for a new plan, with the price, the next payment and the receipt', async ({
    actions,
    stripe,
    ann,
    planEmails,
    periodEnd,
  }) => {
    const mails = await planEmails()
    expect(subjectsOf(mails)).toEqual([welcome])
    const { latest_invoice: invoice } = await actions.subscriptionOf(ann)
    const { hosted_invoice_url: url } = await stripe.invoices.retrieve(String(invoice))
    expect(mails[0]?.text).toContain('Plan: Monthly\n')
    expect(mails[0]?.text).toContain('Price: $4.99 a month\n')
    expect(mails[0]?.text).toContain(`Next payment: ${dateOf(await periodEnd(ann))}\n`)
    expect(mails[0]?.text.split('\n')).toContain(url)
  })

  it('for the new plan, and none for paid renewals', async ({ actions, planEmails }) => {
    await actions.pass(31)
    await actions.pass(31)
    expect(subjectsOf(await planEmails())).toEqual([welcome])
  })

  it('for each scheduled cancellation and each resumption', async ({
    payments,
    actions,
    site,
    stripe,
    ann,
    planEmails,
    periodEnd,
  }) => {
    const { id } = await actions.subscriptionOf(ann)
    const end = dateOf(await periodEnd(ann))
    for (const ends of [true, false, true]) {
      await stripe.subscriptions.update(id, { cancel_at_period_end: ends })
      await payments.settle()
      site.clock.pass(1)
    }
    await actions.pass(31)
    const mails = await planEmails()
    expect(subjectsOf(mails)).toEqual([
      welcome,
      `Your Tidings plan ends on ${end}`,
      'Your Tidings plan continues',
      `Your Tidings plan ends on ${end}`,
      ended,
    ])
    expect(mails.at(-1)?.text).toContain('/#/account/change-plan')
  })

  it('for an immediate plan change', async ({ members, ann, planEmails }) => {
    const body = { priceId: testPrices.yearly }
    await members.call('POST', '/member/plans/change', { headers: ann.headers, body })
    const mails = await planEmails()
    expect(subjectsOf(mails)).toEqual([welcome, 'Your Tidings plan was changed'])
    expect(mails[1]?.text).toContain(
      'Old plan: Monthly\nNew plan: Yearly\nCharged: $45.00\nPrice: $49.99 a year\n',
    )
    expect(mails[1]?.text).toContain('We credited the unused time')
  })

  it('for a failed payment with the page to pay on, despite several attempts', async ({
    payments,
    actions,
    ann,
    planEmails,
    periodEnd,
    passToRenewal,
  }) => {
    const payBy = dateOf((await periodEnd(ann)) + 7 * daySeconds)
    await actions.changeCard(ann, testCards.failsLater)
    await passToRenewal(ann)
    await actions.pass(3)
    const mails = await planEmails()
    expect(subjectsOf(mails)).toEqual([welcome, failed])
    const text = mails[1]?.text ?? ''
    expect(text).toContain(`Amount due: $4.99\nPay by: ${payBy}\n`)
    const page = text.split('\n').find((line) => line.startsWith(`${payments.stripeUrl}/stripe/invoices/`))
    if (page === undefined) throw new Error(`There is no page to pay on in: ${text}`)

    const paid = await fetch(page, {
      method: 'POST',
      body: new URLSearchParams({ card: '4242424242424242' }),
    })
    expect(paid.status).toBe(200)
    await payments.settle()
    expect(paidPlansOf(await actions.memberNow(ann))).toMatchObject([
      { active: true, status: 'ACTIVE', payment: { status: 'PAID' } },
    ])
    const [, , received, ...more] = await planEmails()
    expect([received?.subject, more]).toEqual([wentThrough, []])
    expect(received?.text).toContain('Plan: Monthly\nCharged: $4.99\nPrice: $4.99 a month\nNext payment: ')
    expect(received?.text.split('\n')).toContain(page)
  })

  it('for each failed renewal', async ({ actions, stripe, ann, planEmails, passToRenewal }) => {
    for (let month = 0; month < 2; month += 1) {
      await actions.changeCard(ann, testCards.failsLater)
      await passToRenewal(ann)
      await actions.changeCard(ann, testCards.good)
      const { latest_invoice: invoice } = await actions.subscriptionOf(ann)
      await stripe.invoices.pay(String(invoice))
      await actions.pass(1)
    }
    expect(subjectsOf(await planEmails())).toEqual([welcome, failed, wentThrough, failed, wentThrough])
  })

  it('for the end of the grace period, with the page to pay on, and for its payment', async ({
    actions,
    site,
    stripe,
    ann,
    planEmails,
    passToRenewal,
  }) => {
    await actions.changeCard(ann, testCards.failsLater)
    await passToRenewal(ann)
    const before = await planEmails()
    site.clock.pass(8 * 24 * 3_600_000)
    await site.context.reconciliation.sweep()
    const [mail, ...more] = (await planEmails()).slice(before.length)
    expect([mail?.subject, more]).toEqual([closed, []])
    expect(mail?.text).toContain('Plan: Monthly\nAmount due: $4.99\n')
    const { latest_invoice: invoice } = await actions.subscriptionOf(ann)
    const { hosted_invoice_url: url } = await stripe.invoices.retrieve(String(invoice))
    expect(mail?.text.split('\n')).toContain(url)

    await actions.changeCard(ann, testCards.good)
    await stripe.invoices.pay(String(invoice))
    const [open, ...rest] = (await planEmails()).slice(before.length + 1)
    expect([open?.subject, rest]).toEqual([reopened, []])
    expect(open?.text).toContain('Plan: Monthly\nCharged: $4.99\n')
    expect(open?.text.split('\n')).toContain(url)
  })

  it('for the end of the plan when the customer is deleted at Stripe', async ({
    actions,
    stripe,
    ann,
    planEmails,
  }) => {
    await stripe.customers.del(await actions.customerOf(ann))
    expect(subjectsOf(await planEmails())).toEqual([welcome, ended])
    expect(paidPlansOf(await actions.memberNow(ann))).toMatchObject([{ active: false, status: 'CANCELED' }])
  })

  it('for the end of the plan after the last failed attempt', async ({
    actions,
    ann,
    planEmails,
    passToRenewal,
  }) => {
    await actions.changeCard(ann, testCards.failsLater)
    await passToRenewal(ann)
    await actions.pass(16)
    expect(subjectsOf(await planEmails())).toEqual([welcome, failed, `${ended} because a payment failed`])
  })
})

describe('a member with a yearly plan gets one email', () => {
  it('for each scheduled, canceled and applied change, with the discounted price', async ({
    payments,
    actions,
    site,
    members,
    stripe,
    ann,
    planEmails,
    periodEnd,
  }) => {
    const { id: couponId } = await stripe.coupons.create({
      percent_off: 50,
      duration: 'forever',
      metadata: { public: 'true' },
    })
    await payments.controls.completeCheckout(
      await payments.openCheckout(ann, testPrices.yearly, { couponId }),
    )
    await payments.settle()
    const change = async (priceId: string) => {
      site.clock.pass(1)
      await members.call('POST', '/member/plans/change', { headers: ann.headers, body: { priceId } })
      return await planEmails()
    }
    await change(testPrices.monthly)
    const [begun, , stayed] = await change(testPrices.yearly)
    expect(begun?.text).toContain('Plan: Yearly\nCharged: $24.99\nPrice: $24.99 a year\n')
    expect(stayed?.subject).toBe('Your Tidings plan stays the same')
    expect(stayed?.text).toContain('Plan: Yearly\nCanceled change: Monthly\nPrice: $24.99 a year\n')
    const before = (await change(testPrices.monthly)).toSpliced(1, 2)
    const end = dateOf(await periodEnd(ann))
    expect(subjectsOf(before)).toEqual([welcome, `Your Tidings plan changes on ${end}`])
    expect(before[1]?.text).toContain(
      `Current plan: Yearly\nNew plan: Monthly\nStarts on: ${end}\nPrice: $2.49 a month\n`,
    )
    await actions.pass(366)
    const [changed, ...more] = (await planEmails()).slice(4)
    expect([changed?.subject, more]).toEqual(['Your Tidings plan was changed', []])
    expect(changed?.text).not.toContain('credited')
  })
})

const unreachableTest = paymentTest({ env: { SMTP_URL: 'smtp://127.0.0.1:1' } })

describe('an unavailable mail server', () => {
  unreachableTest('does not delay the plan', async ({ payments, members }) => {
    const ben = await members.signUp()
    expect(paidPlansOf(await payments.subscribe(ben, testPrices.monthly))).toMatchObject([{ active: true }])
  })
})
