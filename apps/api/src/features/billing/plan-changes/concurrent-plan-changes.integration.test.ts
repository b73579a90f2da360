import { planChangeByPriceReply } from '@tidings/contracts/membership/billing'
import type { LightMyRequestResponse } from 'fastify'
import { describe, expect } from 'vitest'
import { refusalOf } from '#test/desk.ts'
import { secondPaymentProcess } from '#test/fixtures.ts'
import { createTestMembers } from '#test/membership.ts'
import { waitForNotifications } from '#test/other-processes.ts'
import { addGrandPlan, grandPrice, planChangeTest } from '#test/payments/plan-changes.ts'
import { testPrices } from '#test/sites/payment-site.ts'

const it = planChangeTest().extend('other', { scope: 'file' }, secondPaymentProcess())

it.beforeAll(({ site }) => addGrandPlan(site))

const allowedRefusals = ['already-have-plan', 'payments-unavailable', 'plan-change-under-way']

function refusalsIn(replies: LightMyRequestResponse[]) {
  return replies.filter(({ statusCode }) => statusCode !== 200).map((reply) => refusalOf(reply))
}

describe('POST /member/plans/change', () => {
  it('charges once for five concurrent upgrades', async ({
    payments,
    subscriber,
    call,
    chargesOf,
    pricesOf,
  }) => {
    const eva = await subscriber(testPrices.monthly)
    const replies = await Promise.all(Array.from({ length: 5 }, () => call('change', eva, testPrices.yearly)))
    const refused = refusalsIn(replies).map(({ code }) => code)
    expect(refused.length).toBeLessThan(5)
    expect(allowedRefusals).toEqual(expect.arrayContaining(refused))
    await payments.settle()
    expect(await chargesOf(eva)).toEqual([4500, 499])
    expect(await pricesOf(eva)).toEqual([testPrices.yearly])
  })

  it('charges once for two overlapping changes', async ({
    payments,
    actions,
    site,
    subscriber,
    call,
    chargesOf,
  }) => {
    const eva = await subscriber(testPrices.monthly)
    const { id } = await actions.subscriptionOf(eva)
    const held = await actions.hold({ match: `POST /v1/subscriptions/${id}` })
    const first = call('change', eva, testPrices.yearly)
    await held.arrived()
    site.clock.pass(3_000)
    const second = call('change', eva, testPrices.yearly)
    await held.release()
    const replies = await Promise.all([first, second])
    const refused = refusalsIn(replies).map(({ code }) => code)
    expect(refused.length).toBeLessThan(2)
    expect(allowedRefusals).toEqual(expect.arrayContaining(refused))
    await payments.settle()
    expect(await chargesOf(eva)).toEqual([4500, 499])
  })

  it('charges exactly the returned amounts of two concurrent upgrades', async ({
    payments,
    subscriber,
    call,
    chargesOf,
    pricesOf,
  }) => {
    const pam = await subscriber(testPrices.monthly)
    const replies = await Promise.all(
      [testPrices.yearly, grandPrice].map((priceId) => call('change', pam, priceId)),
    )
    const refused = refusalsIn(replies)
    expect(refused.map(({ code }) => code)).toEqual(refused.map(() => 'plan-change-under-way'))
    const changes = replies
      .filter(({ statusCode }) => statusCode === 200)
      .map((reply) => planChangeByPriceReply.parse(reply.json()).data.change)
    await payments.settle()
    const expected = changes.reduce((sum, { amountDue }) => sum + amountDue, 4.99)
    const charged = (await chargesOf(pam)).reduce((sum, amount) => sum + amount, 0)
    expect(charged).toBe(Math.round(expected * 100))
    const begun = changes.filter(({ effective }) => effective === 'now').map(({ to }) => to.priceId)
    expect(begun).toEqual(expect.arrayContaining(await pricesOf(pam)))
  })

  it.for([
    ['another price', testPrices.yearly, grandPrice, [9500, 499]],
    ['another price', grandPrice, testPrices.yearly, [4500, 499]],
    ['the same price', testPrices.yearly, testPrices.yearly, [4500, 499]],
  ] as const)(
    'makes and charges one change when two processes change the plan concurrently: %s',
    async ([_what, slow, quick, charges], {
      payments,
      actions,
      subscriber,
      call,
      chargesOf,
      pricesOf,
      other,
    }) => {
      const quinn = await subscriber(testPrices.monthly)
      await waitForNotifications(other)
      const { id } = await actions.subscriptionOf(quinn)
      const held = await actions.hold({ match: `POST /v1/subscriptions/${id}` })
      const late = call('change', quinn, slow)
      await held.arrived()
      const { headers } = quinn
      const body = { priceId: quick }
      const made = await createTestMembers(other).call('POST', '/member/plans/change', { headers, body })
      await held.release()
      const replies = [made, await late]
      const refused = refusalsIn(replies)
      const underWay = {
        status: 409,
        code: 'plan-change-under-way',
        message: 'Your plan is already being changed, perhaps in another window. Check again in a moment.',
      }
      expect(refused).toEqual(slow === quick ? refused.map(() => underWay) : [underWay])
      expect(refused.length).toBeLessThan(2)
      await payments.settle()
      expect(await pricesOf(quinn)).toEqual([quick])
      expect(await chargesOf(quinn)).toEqual(charges)
    },
  )

  it('schedules a repeated and concurrent downgrade once', async ({
    actions,
    stripe,
    subscriber,
    call,
    change,
  }) => {
    const gus = await subscriber(testPrices.yearly)
    await change(gus, testPrices.monthly)
    const replies = await Promise.all([1, 2].map(() => call('change', gus, testPrices.monthly)))
    expect(replies.map(({ statusCode }) => statusCode)).toEqual([200, 200])
    const customer = await actions.customerOf(gus)
    const { data } = await stripe.subscriptionSchedules.list({ customer })
    const scheduled = data.filter(({ status }) => status === 'active')
    expect(scheduled.map(({ phases }) => phases.length)).toEqual([2])
  })
})
