import { describe, expect } from 'vitest'
import { planChangeTest } from '#test/payments/plan-changes.ts'
import { testPrices } from '#test/sites/payment-site.ts'

const it = planChangeTest({ newLogins: true })

describe('an upgrade in the first hour of a period', () => {
  it('charges what its preview said, beside the renewal', async ({
    actions,
    subscriber,
    call,
    preview,
    chargesOf,
  }) => {
    const ann = await subscriber(testPrices.monthly)
    await actions.passToDraft(ann)
    const { data: terms } = await preview(ann, testPrices.yearly)
    expect(terms).toMatchObject({ amountDue: 45, renewalAmount: 49.99, effective: 'now' })
    const made = await call('change', ann, testPrices.yearly, terms)
    expect(made.json().data.change).toEqual(terms)
    expect(await chargesOf(ann)).toEqual([4_500, 499])
    await actions.passDays(1)
    expect(await chargesOf(ann)).toEqual([499, 4_500, 499])
    const member = await actions.memberNow(ann)
    expect(member.planConnections).toMatchObject([{ planName: 'Yearly', active: true, status: 'ACTIVE' }])
    await actions.passDays(60)
    expect(await chargesOf(ann)).toHaveLength(3)
  })

  it('is charged once when it is requested twice', async ({ actions, subscriber, call, chargesOf }) => {
    const bea = await subscriber(testPrices.monthly)
    await actions.passToDraft(bea)
    const replies = await Promise.all([1, 2].map(() => call('change', bea, testPrices.yearly)))
    expect(replies.map(({ statusCode }) => statusCode)).toContain(200)
    await actions.passDays(1)
    expect((await chargesOf(bea)).toSorted()).toEqual([4_500, 499, 499])
  })

  it('voids the renewal when the subscription ends in that hour', async ({
    actions,
    payments,
    stripe,
    subscriber,
    call,
    chargesOf,
  }) => {
    const cam = await subscriber(testPrices.monthly)
    await actions.passToDraft(cam)
    await call('change', cam, testPrices.yearly)
    await stripe.subscriptions.cancel((await actions.subscriptionOf(cam)).id)
    await payments.settle()
    await actions.passDays(1)
    expect(await chargesOf(cam)).toEqual([4_500, 499])
  })
})
