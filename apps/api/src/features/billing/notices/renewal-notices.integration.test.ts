import { describe, expect } from 'vitest'
import { paymentMailTest, secondPaymentProcess } from '#test/fixtures.ts'
import type { TestMember } from '#test/membership.ts'
import { testCards } from '#test/payments/payment-actions.ts'
import { testPrices } from '#test/sites/payment-site.ts'

const dayMs = 24 * 3_600_000
const words = 'unless you cancel before then'

const it = paymentMailTest()
  .extend('other', { scope: 'file' }, secondPaymentProcess({ working: false }))
  .extend('subscriber', { scope: 'file' }, ({ actions }) => actions.subscriber)
  /** A subscriber whose yearly plan renews in 25 days. */
  .extend('renewing', async ({ actions, subscriber }) => {
    const member = await subscriber(testPrices.yearly)
    await actions.pass(340)
    return member
  })
  /** Runs the daily job in two processes at once, and again. */
  .extend('runDaily', { scope: 'file' }, ({ site, other, actions }) => async () => {
    other.clock.pass(site.clock.now().getTime() - other.clock.now().getTime())
    const { renewalNotices } = site.context
    await Promise.all([renewalNotices.send(), other.context.renewalNotices.send(), renewalNotices.send()])
    await renewalNotices.send()
    await actions.waitForEmails()
  })
  /** Passes days, of which each has a run of the job. */
  .extend('passDays', { scope: 'file' }, ({ actions, runDaily }) => async (days: number) => {
    for (let day = 0; day < days; day += 1) {
      await actions.pass(1)
      await runDaily()
    }
  })
  /** Returns the notices to a member, oldest first. */
  .extend('noticesTo', { scope: 'file' }, ({ inbox, actions }) => async ({ email }: TestMember) => {
    await actions.waitForEmails()
    return (await inbox.mailsTo(email, words)).reverse()
  })

it.afterEach(({ actions }) => actions.cancelAll())

describe('a yearly plan', () => {
  it('gets one notice 30 days before it renews, and one each year', async ({
    actions,
    passDays,
    subscriber,
    runDaily,
    noticesTo,
  }) => {
    const ann = await subscriber(testPrices.yearly)
    await actions.pass(334)
    await runDaily()
    expect(await noticesTo(ann)).toEqual([])
    await passDays(3)
    const [notice, ...more] = await noticesTo(ann)
    expect(more).toEqual([])
    expect(notice?.subject).toBe('Your Tidings plan renews on November 20, 2027')
    expect(notice?.text).toContain('Plan: Yearly\nRenews on: November 20, 2027\nPrice: $49.99 a year\n')
    expect(notice?.text).toContain('To cancel, open your account')
    expect(notice?.text).toContain('/#/account/dashboard')
    expect(notice?.text).not.toMatch(/unsubscribe/i)
    await actions.pass(40)
    await runDaily()
    expect(await noticesTo(ann)).toHaveLength(1)
    await actions.pass(330)
    await runDaily()
    expect(await noticesTo(ann)).toHaveLength(2)
  })

  it('gets it with the amount after the discount', async ({ actions, subscriber, runDaily, noticesTo }) => {
    const ann = await subscriber(testPrices.yearly, { percent_off: 50, duration: 'forever' })
    await actions.pass(340)
    await runDaily()
    const [notice] = await noticesTo(ann)
    expect(notice?.text).toContain('We’ll charge you $24.99 that day')
  })

  it('gets it after a worker was away for days, and none too late', async ({
    actions,
    subscriber,
    runDaily,
    noticesTo,
  }) => {
    const ann = await subscriber(testPrices.yearly)
    await actions.pass(5)
    const late = await subscriber(testPrices.yearly)
    await actions.pass(365 - 5 - 12)
    await runDaily()
    expect(await noticesTo(ann)).toEqual([])
    expect(await noticesTo(late)).toHaveLength(1)
  })

  it('gets it once, although the clock is set back and forth', async ({
    site,
    renewing,
    runDaily,
    noticesTo,
  }) => {
    await runDaily()
    for (const days of [-3, 6, -2]) {
      site.clock.pass(days * dayMs)
      await runDaily()
    }
    expect(await noticesTo(renewing)).toHaveLength(1)
  })

  it('gets none while it is canceled, and one when it is resumed', async ({
    payments,
    actions,
    stripe,
    renewing,
    runDaily,
    noticesTo,
  }) => {
    const { id } = await actions.subscriptionOf(renewing)
    await stripe.subscriptions.update(id, { cancel_at_period_end: true })
    await payments.settle()
    await runDaily()
    expect(await noticesTo(renewing)).toEqual([])
    await stripe.subscriptions.update(id, { cancel_at_period_end: false })
    await payments.settle()
    await runDaily()
    expect(await noticesTo(renewing)).toHaveLength(1)
  })

  it('gets none for a cancellation whose event was lost', async ({
    actions,
    stripe,
    renewing,
    runDaily,
    noticesTo,
  }) => {
    await actions.disableWebhooks()
    const { id } = await actions.subscriptionOf(renewing)
    await stripe.subscriptions.update(id, { cancel_at_period_end: true })
    await runDaily()
    expect(await noticesTo(renewing)).toEqual([])
  })

  it('gets a corrected one if the amount changes after the notice, and only then', async ({
    payments,
    actions,
    members,
    stripe,
    renewing,
    runDaily,
    noticesTo,
  }) => {
    await runDaily()
    const { id } = await actions.subscriptionOf(renewing)
    await stripe.subscriptions.update(id, { metadata: { note: 'nothing that matters' } })
    await actions.pass(1)
    await runDaily()
    expect(await noticesTo(renewing)).toHaveLength(1)
    const { id: coupon } = await stripe.coupons.create({ percent_off: 20, duration: 'forever' })
    await stripe.subscriptions.update(id, { discounts: [{ coupon }] })
    await payments.settle()
    await runDaily()
    const [, corrected, ...more] = await noticesTo(renewing)
    expect(more).toEqual([])
    expect(corrected?.text).toContain('This replaces our earlier email')
    expect(corrected?.text).toContain('Price until then: $49.99 a year\nNew price: $39.99 a year\n')
    await members.call('POST', '/member/plans/change', {
      headers: members.headersOf(await members.logIn({ email: renewing.email })),
      body: { priceId: testPrices.monthly },
    })
    await payments.settle()
    await runDaily()
    const third = (await noticesTo(renewing))[2]
    expect(third?.text).toContain('Plan: Yearly\nNew plan: Monthly\n')
    expect(third?.text).toContain('New price: $3.99 a month\n')
  })
})

describe('a monthly plan', () => {
  it('gets none while its price stays', async ({ subscriber, passDays, noticesTo }) => {
    const ann = await subscriber(testPrices.monthly)
    await passDays(35)
    expect(await noticesTo(ann)).toEqual([])
  })

  it('gets one notice before its discount ends', async ({ subscriber, passDays, noticesTo }) => {
    const ann = await subscriber(testPrices.monthly, { percent_off: 50, duration: 'once' })
    await passDays(40)
    const [notice, ...more] = await noticesTo(ann)
    expect(more).toEqual([])
    expect(notice?.subject).toMatch(/^Your Tidings price changes on \w+ \d+, \d{4}$/)
    expect(notice?.text).toContain('Price until then: $2.49 a month\nNew price: $4.99 a month\n')
  })

  it('gets none while a payment is failing', async ({ actions, subscriber, passDays, noticesTo }) => {
    const ann = await subscriber(testPrices.monthly, { percent_off: 50, duration: 'forever' })
    await actions.changeCard(ann, testCards.failsLater)
    await passDays(34)
    const { id } = await actions.subscriptionOf(ann)
    expect((await actions.subscriptionOf(ann)).status).toBe('past_due')
    expect([id, await noticesTo(ann)]).toEqual([id, []])
  })
})

describe('the daily job', () => {
  it('continues after Stripe was unavailable', async ({ payments, site, renewing, runDaily, noticesTo }) => {
    await payments.controls.addFault({
      kind: 'server-error',
      match: 'POST /v1/invoices/create_preview',
      times: 1_000,
    })
    await expect(site.context.renewalNotices.send()).rejects.toThrow()
    await payments.controls.clearFaults()
    await runDaily()
    expect(await noticesTo(renewing)).toHaveLength(1)
  })

  it('continues after a subscription that Stripe refuses', async ({
    actions,
    db,
    subscriber,
    runDaily,
    noticesTo,
  }) => {
    const unknown = await subscriber(testPrices.yearly)
    await actions.pass(0.1)
    const ann = await subscriber(testPrices.yearly)
    await actions.pass(340)
    const { memberId } = unknown
    await db.paymentCustomer.update({ where: { memberId }, data: { id: 'cus_unknown' } })
    await runDaily()
    await db.paymentCustomer.update({
      where: { memberId },
      data: { id: await actions.customerOf(unknown) },
    })
    expect(await noticesTo(unknown)).toEqual([])
    expect(await noticesTo(ann)).toHaveLength(1)
  })
})
