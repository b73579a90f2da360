import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { refusalOf } from '../../../../test/desk.ts'
import type { TestMember } from '../../../../test/membership.ts'
import { patience } from '../../../../test/patience.ts'
import { type PaymentSite, startPaymentSite, testPrices } from '../../../../test/payment-site.ts'
import {
  createPaymentStory,
  type PaymentStory,
  paidPlansOf,
  testCards,
} from '../../../../test/payment-story.ts'

let at: PaymentSite
let story: PaymentStory
beforeEach(async () => {
  at = await startPaymentSite()
  story = createPaymentStory(at)
})
afterEach(() => at.close())

async function subscriber(priceId: string): Promise<TestMember> {
  const member = await at.members.signUp()
  await at.subscribe(member, priceId)
  return member
}

/** Asks for something with a login of now. */
async function call(what: string, { email }: TestMember, priceId: string) {
  const headers = at.members.headersOf(await at.members.logIn({ email }))
  return await at.members.call('POST', `/member/plans/${what}`, { headers, body: { priceId } })
}

async function chargesOf(member: TestMember): Promise<number[]> {
  const { data } = await at.stripe.charges.list({ customer: await story.customerOf(member), limit: 100 })
  return data.filter(({ status }) => status === 'succeeded').map(({ amount }) => amount)
}

describe('in the course of time', () => {
  it('an upgrade costs the less the less of the old plan was used', async () => {
    const ann = await subscriber(testPrices.monthly)
    await story.pass(15)
    const preview = await call('change/preview', ann, testPrices.yearly)
    // Half of a month of thirty days is left: 49.99 less half of 4.99.
    expect(preview.json().data.amountDue).toBeCloseTo(47.49, 1)
    const made = await call('change', ann, testPrices.yearly)
    expect(made.json().data.change.amountDue).toBe(preview.json().data.amountDue)
    expect(await chargesOf(ann)).toEqual([Math.round(preview.json().data.amountDue * 100), 499])
  })

  it('a cheaper plan begins at the end of what was paid', async () => {
    const bea = await subscriber(testPrices.yearly)
    await call('change', bea, testPrices.monthly)
    await story.pass(364)
    expect(paidPlansOf(await story.memberNow(bea))).toMatchObject([{ planName: 'Yearly', active: true }])
    await story.pass(2)
    const member = await story.memberNow(bea)
    expect(paidPlansOf(member)).toMatchObject([
      { planName: 'Monthly', active: true, payment: { priceId: testPrices.monthly, amount: 4.99 } },
    ])
    expect(member.permissions).toEqual(['paid'])
    expect(await chargesOf(bea)).toEqual([499, 4999])
  })

  it('a change that was taken back never comes', async () => {
    const cam = await subscriber(testPrices.yearly)
    await call('change', cam, testPrices.monthly)
    await call('change', cam, testPrices.yearly)
    await story.pass(366)
    expect(paidPlansOf(await story.memberNow(cam))).toMatchObject([{ planName: 'Yearly', active: true }])
    expect(await chargesOf(cam)).toEqual([4999, 4999])
  })

  it('nothing changes before what is owed was paid', async () => {
    const dan = await subscriber(testPrices.monthly)
    await story.changeCard(dan, testCards.failsLater)
    await story.pass(31)
    expect(paidPlansOf(await story.memberNow(dan))).toMatchObject([{ status: 'PAST_DUE', active: true }])
    for (const what of ['change/preview', 'change']) {
      expect(refusalOf(await call(what, dan, testPrices.yearly))).toEqual({
        status: 402,
        code: 'payment-due',
        message: 'Your last payment did not go through. Please pay it first, where you manage your billing.',
      })
    }
    expect(await chargesOf(dan)).toEqual([499])
  })

  it('who owes and asks to pay is led to where they can, not told that they have the plan', async () => {
    const fay = await subscriber(testPrices.monthly)
    await story.changeCard(fay, testCards.failsLater)
    await story.pass(31)
    for (const priceId of [testPrices.monthly, testPrices.yearly]) {
      const reply = await call('create-checkout-session', fay, priceId)
      expect(new URL(reply.json().data.url).pathname).toMatch(/^\/stripe\/portal\/[^/]+$/)
    }
    expect((await story.subscriptionsOf(fay)).map(({ status }) => status)).toEqual(['past_due'])
  })

  it('two calls with seconds between them charge once, though neither knows of the other', async () => {
    const eva = await subscriber(testPrices.monthly)
    const { id } = await story.subscriptionOf(eva)
    await at.controls.addFault({ kind: 'slow', match: `POST /v1/subscriptions/${id}`, delayMs: 800 })
    const first = call('change', eva, testPrices.yearly)
    // The first one is on its way once no fault is left for another.
    await vi.waitFor(async () => {
      const left = await (await fetch(`${at.stripeUrl}/stripe/faults`)).text()
      if (left.includes(id)) throw new Error('The call is still to come.')
    }, patience)
    at.site.clock.pass(3_000)
    const replies = await Promise.all([first, call('change', eva, testPrices.yearly)])
    const refused = replies
      .filter(({ statusCode }) => statusCode !== 200)
      .map((reply) => refusalOf(reply).code)
    expect(refused.length).toBeLessThan(2)
    expect(refused.filter((code) => !['already-have-plan', 'payments-unavailable'].includes(code))).toEqual(
      [],
    )
    await at.settle()
    expect(await chargesOf(eva)).toEqual([4500, 499])
  })
})
