import { describe, expect } from 'vitest'
import { z } from 'zod'
import { queryRows } from '#platform/query-rows.ts'
import { refusalOf } from '#test/desk.ts'
import { testCards } from '#test/payments/payment-actions.ts'
import { addGrandPlan, grandPrice, planChangeTest } from '#test/payments/plan-changes.ts'
import { testPrices } from '#test/sites/payment-site.ts'
import { restoreSchedule } from '../billing.jobs.ts'

const it = planChangeTest()

it.beforeAll(({ site }) => addGrandPlan(site))

const upgrade = {
  from: { planName: 'Monthly', priceId: testPrices.monthly, amount: 4.99, interval: 'MONTHLY' },
  to: { planName: 'Yearly', priceId: testPrices.yearly, amount: 49.99, interval: 'YEARLY' },
  effective: 'now',
  effectiveAt: '2026-11-20T17:00:00.000Z',
  amountDue: 45,
  currency: 'usd',
}
const downgrade = {
  from: upgrade.to,
  to: upgrade.from,
  currency: 'usd',
  effective: 'period-end',
  effectiveAt: '2027-11-20T17:00:00.000Z',
  amountDue: 0,
}

describe('POST /member/plans/change/preview', () => {
  it('returns the immediate charge of an upgrade and changes nothing', async ({
    payments,
    subscriber,
    preview,
    chargesOf,
    pricesOf,
  }) => {
    const ann = await subscriber(testPrices.monthly)
    const { data, _internalUseOnly } = await preview(ann, testPrices.yearly)
    expect(data).toMatchObject(upgrade)
    expect(_internalUseOnly.message).toBe(
      'Yearly starts now. You pay $45.00 today. It renews for $49.99 a year.',
    )
    await payments.settle()
    expect(await pricesOf(ann)).toEqual([testPrices.monthly])
    expect(await chargesOf(ann)).toEqual([499])
  })

  it('returns the start of a downgrade and changes nothing', async ({ actions, subscriber, preview }) => {
    const bea = await subscriber(testPrices.yearly)
    const { data, _internalUseOnly } = await preview(bea, testPrices.monthly)
    expect(data).toMatchObject(downgrade)
    expect(_internalUseOnly.message).toBe(
      'You keep Yearly until November 20, 2027. Then Monthly starts for $4.99 a month.',
    )
    expect((await actions.subscriptionOf(bea)).schedule).toBeNull()
  })
})

describe('POST /member/plans/change', () => {
  it('upgrades at once and charges the difference', async ({ payments, subscriber, change, chargesOf }) => {
    const cam = await subscriber(testPrices.monthly)
    const { data, _internalUseOnly } = await change(cam, testPrices.yearly)
    expect(data.change).toMatchObject(upgrade)
    expect(_internalUseOnly.message).toBe(
      'Yearly has started. You paid $45.00 today. It renews for $49.99 a year.',
    )
    expect(data.member.permissions).toEqual(['paid'])
    expect(data.member.planConnections).toMatchObject([
      {
        planName: 'Yearly',
        active: true,
        payment: { amount: 49.99, nextBillingDate: '2027-11-20T17:00:00.000Z' },
      },
    ])
    await payments.settle()
    expect(await payments.memberOf(cam)).toMatchObject(data.member)
    expect(await chargesOf(cam)).toEqual([4500, 499])
  })

  it('schedules a downgrade without a charge', async ({ payments, subscriber, change, chargesOf }) => {
    const fay = await subscriber(testPrices.yearly)
    const { data, _internalUseOnly } = await change(fay, testPrices.monthly)
    expect(data.change).toMatchObject(downgrade)
    expect(_internalUseOnly.message).toContain('You keep Yearly until November 20, 2027.')
    expect(data.member.planConnections).toMatchObject([
      { planName: 'Yearly', active: true, payment: { nextPriceId: testPrices.monthly } },
    ])
    await payments.settle()
    expect(await chargesOf(fay)).toEqual([4999])
  })

  it('cancels a scheduled change when the current price is requested', async ({
    payments,
    actions,
    subscriber,
    call,
    change,
    chargesOf,
  }) => {
    const hal = await subscriber(testPrices.yearly)
    await change(hal, testPrices.monthly)
    const { data, _internalUseOnly } = await change(hal, testPrices.yearly)
    expect(data.change).toMatchObject({ effective: 'now', amountDue: 0 })
    expect(_internalUseOnly.message).toBe("You're staying on Yearly.")
    expect(data.member.planConnections[0]?.payment).not.toHaveProperty('nextPriceId')
    expect((await actions.subscriptionOf(hal)).schedule).toBeNull()
    expect(refusalOf(await call('change', hal, testPrices.yearly)).code).toBe('already-have-plan')
    await payments.settle()
    expect(await chargesOf(hal)).toEqual([4999])
  })

  it('cancels a scheduled downgrade when upgrading', async ({ actions, subscriber, change, chargesOf }) => {
    const noa = await subscriber(testPrices.yearly)
    await change(noa, testPrices.monthly)
    const { data } = await change(noa, grandPrice)
    expect(data.change).toMatchObject({ effective: 'now', amountDue: 50 })
    expect(data.member).toMatchObject({
      permissions: ['grand'],
      planConnections: [{ planName: 'Grand', active: true }],
    })
    expect((await actions.subscriptionOf(noa)).schedule).toBeNull()
    expect(await chargesOf(noa)).toEqual([5000, 4999])
  })

  it.for([
    ['at once', false],
    ['by a job if that is interrupted', true],
  ] as const)(
    'keeps a scheduled downgrade when the card of an upgrade is declined: %s',
    async ([, isInterrupted], {
      payments,
      site,
      actions,
      stripe,
      subscriber,
      call,
      change,
      chargesOf,
      pricesOf,
    }) => {
      const ola = await subscriber(testPrices.yearly)
      await change(ola, testPrices.monthly)
      await actions.changeCard(ola, testCards.failsLater)
      const { id: subscriptionId } = await actions.subscriptionOf(ola)
      const match = 'POST /v1/subscription_schedules'
      if (isInterrupted)
        await payments.controls.addFault({ kind: 'server-error', match, about: subscriptionId, times: 3 })
      expect(refusalOf(await call('change', ola, grandPrice))).toMatchObject({
        status: 402,
        code: 'card-declined',
      })
      await payments.controls.clearFaults()
      expect((await actions.subscriptionOf(ola)).schedule === null).toBe(isInterrupted)
      const jobRowSchema = z.object({ data: restoreSchedule.payload, minutes: z.int() })
      const [job] = await queryRows(site.context.database.db, jobRowSchema)`
      SELECT data, extract(epoch FROM start_after - created_on)::int / 60 AS minutes FROM jobs.job
      WHERE name = ${restoreSchedule.name} AND data->>'subscriptionId' = ${subscriptionId}`
      expect(job?.minutes).toBe(5)
      await restoreSchedule.run(restoreSchedule.payload.parse(job?.data), site.context)
      const { data } = await stripe.subscriptionSchedules.list({ customer: await actions.customerOf(ola) })
      const scheduled = data.filter(({ status }) => status === 'active')
      expect(scheduled.map(({ phases }) => phases.length)).toEqual([2])
      expect(await pricesOf(ola)).toEqual([testPrices.yearly])
      expect(await chargesOf(ola)).toEqual([4999])
    },
  )

  it('is refused for a canceled plan until it is resumed', async ({
    payments,
    actions,
    stripe,
    subscriber,
    call,
    change,
    chargesOf,
  }) => {
    for (const [plan, other] of [
      [testPrices.monthly, testPrices.yearly],
      [testPrices.yearly, testPrices.monthly],
    ] as const) {
      const ida = await subscriber(plan)
      const { id } = await actions.subscriptionOf(ida)
      await stripe.subscriptions.update(id, { cancel_at_period_end: true })
      for (const endpoint of ['change/preview', 'change']) {
        expect(refusalOf(await call(endpoint, ida, other))).toEqual({
          status: 409,
          code: 'plan-canceled',
          message: 'Your plan is canceled. Resume it on the billing page first, then change it.',
        })
      }
      await payments.settle()
      expect((await payments.memberOf(ida)).planConnections).toMatchObject([
        { payment: { priceId: plan, nextBillingDate: null } },
      ])
      expect(await chargesOf(ida)).toHaveLength(1)
      await stripe.subscriptions.update(id, { cancel_at_period_end: false })
      expect((await change(ida, other)).data.change.to.priceId).toBe(other)
    }
  })

  it('changes nothing when the card is declined', async ({
    payments,
    actions,
    subscriber,
    call,
    change,
    chargesOf,
  }) => {
    const jim = await subscriber(testPrices.monthly)
    await actions.changeCard(jim, testCards.failsLater)
    await payments.settle()
    const before = await payments.memberOf(jim)
    const refusal = refusalOf(await call('change', jim, testPrices.yearly))
    expect(refusal).toMatchObject({ status: 402, code: 'card-declined', message: 'Your card was declined.' })
    await payments.settle()
    expect(await payments.memberOf(jim)).toEqual(before)
    expect(await chargesOf(jim)).toEqual([499])
    await actions.changeCard(jim, testCards.good)
    expect((await change(jim, testPrices.yearly)).data.change.amountDue).toBe(45)
    expect(await chargesOf(jim)).toEqual([4500, 499])
  })
})

describe('a plan change or preview', () => {
  const both = ['change/preview', 'change'] as const

  it.for(both)('returns 404 without a subscription: %s', async (what, { payments, members, call }) => {
    const kay = await members.signUp()
    const none = { status: 404, code: 'no-plan-found' }
    expect(refusalOf(await call(what, kay, testPrices.yearly))).toMatchObject(none)
    await payments.openCheckout(kay, testPrices.monthly)
    expect(refusalOf(await call(what, kay, testPrices.yearly))).toMatchObject(none)
  })

  it.for(both)(
    'rejects the current plan, also after an upgrade, and charges nothing more: %s',
    async (what, { subscriber, call, change, chargesOf }) => {
      const lea = await subscriber(testPrices.monthly)
      const refused = { status: 409, code: 'already-have-plan' }
      expect(refusalOf(await call(what, lea, testPrices.monthly))).toMatchObject(refused)
      await change(lea, testPrices.yearly)
      expect(refusalOf(await call(what, lea, testPrices.yearly))).toMatchObject(refused)
      expect(await chargesOf(lea)).toEqual([4500, 499])
    },
  )

  it.for(both)('requires a price: %s', async (what, { members }) => {
    const max = await members.signUp()
    const reply = await members.call('POST', `/member/plans/${what}`, { headers: max.headers, body: {} })
    expect(refusalOf(reply).status).toBe(400)
  })
})
