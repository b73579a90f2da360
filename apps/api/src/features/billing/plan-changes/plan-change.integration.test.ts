import { planChangeByPriceReply, planChangePreviewReply } from '@tidings/contracts/billing'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { refusalOf } from '#test/desk.ts'
import { addPlans } from '#test/factories/app-settings.ts'
import { createTestMembers, type TestMember } from '#test/membership.ts'
import { waitForNotifications } from '#test/other-processes.ts'
import { createPaymentActions, type PaymentActions, testCards } from '#test/payment-actions.ts'
import { type PaymentSite, startPaymentSite, testPrices } from '#test/payment-site.ts'
import { startTestApp, type TestApp } from '#test/test-app.ts'

let at: PaymentSite
let actions: PaymentActions
let other: TestApp
beforeAll(async () => {
  at = await startPaymentSite()
  actions = createPaymentActions(at)
  const grand = { id: 'prc_grand', amount: 99.99, currency: 'usd', interval: 'YEARLY' as const }
  await addPlans(at.site, [{ id: 'pln_grand', name: 'Grand', permissions: ['grand'], prices: [grand] }])
  await at.site.context.syncCatalogue(() => {})
  other = await startTestApp({ databaseUrl: at.databaseUrl, env: at.env })
})
afterAll(async () => {
  await other.close()
  await at.close()
})

async function subscriber(priceId: string): Promise<TestMember> {
  const member = await at.members.signUp()
  await at.subscribe(member, priceId)
  return member
}

async function call(endpoint: 'change' | 'change/preview', { headers }: TestMember, priceId: string) {
  return await at.members.call('POST', `/member/plans/${endpoint}`, { headers, body: { priceId } })
}

async function change(member: TestMember, priceId: string) {
  return planChangeByPriceReply.parse((await call('change', member, priceId)).json())
}

/** Returns a member's successful charges in cents, newest first. */
async function chargesOf(member: TestMember): Promise<number[]> {
  const { data } = await at.stripe.charges.list({ customer: await actions.customerOf(member), limit: 100 })
  return data.filter(({ status }) => status === 'succeeded').map(({ amount }) => amount)
}

async function priceOf(member: TestMember) {
  return (await at.memberOf(member)).planConnections.map(({ payment }) => payment?.priceId)
}

const upgrade = {
  from: { planName: 'Monthly', priceId: testPrices.monthly, amount: 4.99, interval: 'MONTHLY' },
  to: { planName: 'Yearly', priceId: testPrices.yearly, amount: 49.99, interval: 'YEARLY' },
  effective: 'now',
  effectiveAt: '2026-11-20T17:00:00.000Z',
  amountDue: 45,
  currency: 'usd',
}
const downgrade = {
  ...{ from: upgrade.to, to: upgrade.from, currency: 'usd' },
  effective: 'period-end',
  effectiveAt: '2027-11-20T17:00:00.000Z',
  amountDue: 0,
}

describe('POST /member/plans/change/preview', () => {
  it('returns the immediate charge of an upgrade and changes nothing', async () => {
    const ann = await subscriber(testPrices.monthly)
    const { data, _internalUseOnly } = planChangePreviewReply.parse(
      (await call('change/preview', ann, testPrices.yearly)).json(),
    )
    expect(data).toMatchObject(upgrade)
    expect(_internalUseOnly.message).toBe(
      'Yearly starts now. You pay $45.00 today. It renews for $49.99 a year.',
    )
    await at.settle()
    expect(await priceOf(ann)).toEqual([testPrices.monthly])
    expect(await chargesOf(ann)).toEqual([499])
  })

  it('returns the start of a downgrade and changes nothing', async () => {
    const bea = await subscriber(testPrices.yearly)
    const { data, _internalUseOnly } = planChangePreviewReply.parse(
      (await call('change/preview', bea, testPrices.monthly)).json(),
    )
    expect(data).toMatchObject(downgrade)
    expect(_internalUseOnly.message).toBe(
      'You keep Yearly until November 20, 2027. Then Monthly starts for $4.99 a month.',
    )
    expect((await actions.subscriptionOf(bea)).schedule).toBeNull()
  })
})

describe('POST /member/plans/change', () => {
  it('upgrades at once and charges the difference', async () => {
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
    await at.settle()
    expect(await at.memberOf(cam)).toMatchObject(data.member)
    expect(await chargesOf(cam)).toEqual([4500, 499])
  })

  it('rejects a repeated upgrade and charges nothing more', async () => {
    const dan = await subscriber(testPrices.monthly)
    await change(dan, testPrices.yearly)
    expect(refusalOf(await call('change', dan, testPrices.yearly))).toMatchObject({
      status: 409,
      code: 'already-have-plan',
    })
    expect(await chargesOf(dan)).toEqual([4500, 499])
  })

  it('charges once for five concurrent upgrades', async () => {
    const eva = await subscriber(testPrices.monthly)
    const replies = await Promise.all(Array.from({ length: 5 }, () => call('change', eva, testPrices.yearly)))
    const refused = replies
      .filter(({ statusCode }) => statusCode !== 200)
      .map((reply) => refusalOf(reply).code)
    expect(refused.length).toBeLessThan(5)
    expect(
      refused.filter(
        (code) => !['already-have-plan', 'payments-unavailable', 'plan-change-under-way'].includes(code),
      ),
    ).toEqual([])
    await at.settle()
    expect(await chargesOf(eva)).toEqual([4500, 499])
    expect(await priceOf(eva)).toEqual([testPrices.yearly])
  })

  it('schedules a downgrade without a charge', async () => {
    const fay = await subscriber(testPrices.yearly)
    const { data, _internalUseOnly } = await change(fay, testPrices.monthly)
    expect(data.change).toMatchObject(downgrade)
    expect(_internalUseOnly.message).toContain('You keep Yearly until November 20, 2027.')
    expect(data.member.planConnections).toMatchObject([{ planName: 'Yearly', active: true }])
    await at.settle()
    expect(await chargesOf(fay)).toEqual([4999])
  })

  it('schedules a repeated and concurrent downgrade once', async () => {
    const gus = await subscriber(testPrices.yearly)
    await change(gus, testPrices.monthly)
    const replies = await Promise.all([1, 2].map(() => call('change', gus, testPrices.monthly)))
    expect(replies.map(({ statusCode }) => statusCode)).toEqual([200, 200])
    const customer = await actions.customerOf(gus)
    const { data } = await at.stripe.subscriptionSchedules.list({ customer })
    const scheduled = data.filter(({ status }) => status === 'active')
    expect(scheduled.map(({ phases }) => phases.length)).toEqual([2])
  })

  it('cancels a scheduled change when the current price is requested', async () => {
    const hal = await subscriber(testPrices.yearly)
    await change(hal, testPrices.monthly)
    const { data, _internalUseOnly } = await change(hal, testPrices.yearly)
    expect(data.change).toMatchObject({ effective: 'now', amountDue: 0 })
    expect(_internalUseOnly.message).toBe("You're staying on Yearly.")
    expect((await actions.subscriptionOf(hal)).schedule).toBeNull()
    expect(refusalOf(await call('change', hal, testPrices.yearly)).code).toBe('already-have-plan')
    await at.settle()
    expect(await chargesOf(hal)).toEqual([4999])
  })

  it('cancels a scheduled downgrade when upgrading', async () => {
    const noa = await subscriber(testPrices.yearly)
    await change(noa, testPrices.monthly)
    const { data } = await change(noa, 'prc_grand')
    expect(data.change).toMatchObject({ effective: 'now', amountDue: 50 })
    expect(data.member).toMatchObject({
      permissions: ['grand'],
      planConnections: [{ planName: 'Grand', active: true }],
    })
    expect((await actions.subscriptionOf(noa)).schedule).toBeNull()
    expect(await chargesOf(noa)).toEqual([5000, 4999])
  })

  it('keeps a scheduled downgrade when the card of an upgrade is declined', async () => {
    const ola = await subscriber(testPrices.yearly)
    await change(ola, testPrices.monthly)
    await actions.changeCard(ola, testCards.failsLater)
    expect(refusalOf(await call('change', ola, 'prc_grand'))).toMatchObject({
      status: 402,
      code: 'card-declined',
    })
    const { data } = await at.stripe.subscriptionSchedules.list({ customer: await actions.customerOf(ola) })
    const scheduled = data.filter(({ status }) => status === 'active')
    expect(scheduled.map(({ phases }) => phases.length)).toEqual([2])
    expect(await priceOf(ola)).toEqual([testPrices.yearly])
    expect(await chargesOf(ola)).toEqual([4999])
  })

  it('charges exactly the returned amounts of two concurrent upgrades', async () => {
    const pam = await subscriber(testPrices.monthly)
    const replies = await Promise.all(
      [testPrices.yearly, 'prc_grand'].map((priceId) => call('change', pam, priceId)),
    )
    const refused = replies.filter(({ statusCode }) => statusCode !== 200).map((reply) => refusalOf(reply))
    expect(refused.map(({ code }) => code)).toEqual(refused.map(() => 'plan-change-under-way'))
    const changes = replies
      .filter(({ statusCode }) => statusCode === 200)
      .map((reply) => planChangeByPriceReply.parse(reply.json()).data.change)
    await at.settle()
    const expected = changes.reduce((sum, { amountDue }) => sum + amountDue, 4.99)
    const charged = (await chargesOf(pam)).reduce((sum, amount) => sum + amount, 0)
    expect(charged).toBe(Math.round(expected * 100))
    const begun = changes.filter(({ effective }) => effective === 'now').map(({ to }) => to.priceId)
    expect(begun).toEqual(expect.arrayContaining(await priceOf(pam)))
  })

  it.each([
    ['another price', testPrices.yearly, 'prc_grand', [9500, 499]],
    ['another price', 'prc_grand', testPrices.yearly, [4500, 499]],
    ['the same price', testPrices.yearly, testPrices.yearly, [4500, 499]],
  ])(
    'makes and charges one change when two processes change the plan concurrently: %s',
    async (_what, slow, quick, charges) => {
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
      const refused = replies.filter(({ statusCode }) => statusCode !== 200).map((reply) => refusalOf(reply))
      const underWay = {
        status: 409,
        code: 'plan-change-under-way',
        message: 'Your plan is already being changed, perhaps in another window. Check again in a moment.',
      }
      expect(refused).toEqual(slow === quick ? refused.map(() => underWay) : [underWay])
      expect(refused.length).toBeLessThan(2)
      await at.settle()
      expect(await priceOf(quinn)).toEqual([quick])
      expect(await chargesOf(quinn)).toEqual(charges)
    },
  )

  it('resumes a subscription with a scheduled cancellation', async () => {
    const ida = await subscriber(testPrices.monthly)
    const { id } = await actions.subscriptionOf(ida)
    await at.stripe.subscriptions.update(id, { cancel_at_period_end: true })
    await at.settle()
    const { data } = await change(ida, testPrices.yearly)
    expect(data.member.planConnections).toMatchObject([
      { planName: 'Yearly', payment: { cancelAtDate: null, nextBillingDate: '2027-11-20T17:00:00.000Z' } },
    ])
  })

  it('changes nothing when the card is declined', async () => {
    const jim = await subscriber(testPrices.monthly)
    await actions.changeCard(jim, testCards.failsLater)
    await at.settle()
    const before = await at.memberOf(jim)
    const refusal = refusalOf(await call('change', jim, testPrices.yearly))
    expect(refusal).toMatchObject({ status: 402, code: 'card-declined', message: 'Your card was declined.' })
    await at.settle()
    expect(await at.memberOf(jim)).toEqual(before)
    expect(await chargesOf(jim)).toEqual([499])
    await actions.changeCard(jim, testCards.good)
    expect((await change(jim, testPrices.yearly)).data.change.amountDue).toBe(45)
    expect(await chargesOf(jim)).toEqual([4500, 499])
  })
})

describe('a plan change or preview', () => {
  const both = ['change/preview', 'change'] as const

  it.each(both)('requires a login: %s', async (what) => {
    const reply = await at.members.call('POST', `/member/plans/${what}`, { body: { priceId: 'prc_1' } })
    expect(refusalOf(reply)).toMatchObject({ status: 401, code: 'login-required' })
  })

  it.each(both)('returns 404 without a subscription: %s', async (what) => {
    const kay = await at.members.signUp()
    const none = { status: 404, code: 'no-plan-found' }
    expect(refusalOf(await call(what, kay, testPrices.yearly))).toMatchObject(none)
    await at.openCheckout(kay, testPrices.monthly)
    expect(refusalOf(await call(what, kay, testPrices.yearly))).toMatchObject(none)
  })

  it.each(both)('rejects the current plan: %s', async (what) => {
    const lea = await subscriber(testPrices.monthly)
    expect(refusalOf(await call(what, lea, testPrices.monthly))).toMatchObject({
      status: 409,
      code: 'already-have-plan',
    })
  })

  it.each(both)('requires a price: %s', async (what) => {
    const max = await at.members.signUp()
    const reply = await at.members.call('POST', `/member/plans/${what}`, { headers: max.headers, body: {} })
    expect(refusalOf(reply).status).toBe(400)
  })
})
