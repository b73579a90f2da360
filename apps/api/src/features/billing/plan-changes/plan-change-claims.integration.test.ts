import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { refusalOf } from '../../../../test/desk.ts'
import { addPlans } from '../../../../test/factories/app-settings.ts'
import { createTestMembers, type TestMember } from '../../../../test/membership.ts'
import { hearAll } from '../../../../test/other-processes.ts'
import { patience } from '../../../../test/patience.ts'
import { type PaymentSite, startPaymentSite, testPrices } from '../../../../test/payment-site.ts'
import { createPaymentStory, type PaymentStory, testCards } from '../../../../test/payment-story.ts'
import { startTestApp, type TestApp } from '../../../../test/test-app.ts'

const grand = 'prc_grand'
const underWay = {
  status: 409,
  code: 'plan-change-under-way',
  message:
    'Your plan is being changed at this moment, perhaps in another window. Please look again in a moment.',
}

let at: PaymentSite
let story: PaymentStory
let other: TestApp
beforeAll(async () => {
  at = await startPaymentSite()
  story = createPaymentStory(at)
  const price = { id: grand, amount: 99.99, currency: 'usd', interval: 'YEARLY' as const }
  await addPlans(at.site, [{ id: 'pln_grand', name: 'Grand', permissions: ['grand'], prices: [price] }])
  await at.site.context.syncCatalogue(() => {})
  other = await startTestApp({ databaseUrl: at.databaseUrl, env: at.env })
})
afterAll(async () => {
  await other.close()
  await at.close()
})

async function subscriber(): Promise<TestMember> {
  const member = await at.members.signUp()
  await at.subscribe(member, testPrices.monthly)
  await hearAll(other)
  return member
}

const change = ({ headers }: TestMember, priceId: string) =>
  at.members.call('POST', '/member/plans/change', { headers, body: { priceId } })

const changeElsewhere = ({ headers }: TestMember, priceId: string) =>
  createTestMembers(other).call('POST', '/member/plans/change', { headers, body: { priceId } })

/** What was taken from a member, in cents, the newest first. */
async function chargesOf(member: TestMember): Promise<number[]> {
  const { data } = await at.stripe.charges.list({ customer: await story.customerOf(member), limit: 100 })
  return data.filter(({ status }) => status === 'succeeded').map(({ amount }) => amount)
}

async function priceOf(member: TestMember) {
  return (await at.memberOf(member)).planConnections.map(({ payment }) => payment?.priceId)
}

/** Has the next call of this kind be answered late; resolves, once it is asked for, by `reached`. */
async function delay(match: string, about: string, delayMs = 1_000) {
  await at.controls.addFault({ kind: 'slow', match, about, delayMs })
  return {
    async reached() {
      await vi.waitFor(async () => {
        const left = await (await fetch(`${at.stripeUrl}/stripe/faults`)).text()
        if (left.includes(about)) throw new Error('The call is still to come.')
      }, patience)
    },
  }
}

describe('two changes at once', () => {
  it.each([
    [testPrices.yearly, grand, [4500, 499]],
    [grand, testPrices.yearly, [9500, 499]],
  ])('to %s here and to %s on another process: one is done and charged', async (first, second, charges) => {
    const ann = await subscriber()
    const { id } = await story.subscriptionOf(ann)
    const slow = await delay('POST /v1/subscriptions/', id)
    const done = change(ann, first)
    await slow.reached()
    expect(refusalOf(await changeElsewhere(ann, second))).toEqual(underWay)
    expect((await done).statusCode).toBe(200)
    await at.settle()
    expect(await priceOf(ann)).toEqual([first])
    expect(await chargesOf(ann)).toEqual(charges)
  })

  it('to the same price are one change, and both are answered so', async () => {
    const bea = await subscriber()
    const { id } = await story.subscriptionOf(bea)
    const slow = await delay('POST /v1/subscriptions/', id, 400)
    const first = change(bea, testPrices.yearly)
    await slow.reached()
    const second = changeElsewhere(bea, testPrices.yearly)
    expect([(await first).statusCode, (await second).statusCode]).toEqual([200, 200])
    await at.settle()
    expect(await priceOf(bea)).toEqual([testPrices.yearly])
    expect(await chargesOf(bea)).toEqual([4500, 499])
  })

  it('to the same price keep others off until the last of them is done', async () => {
    const cam = await subscriber()
    const customer = await story.customerOf(cam)
    const slow = await delay('GET /v1/subscriptions', customer)
    const last = change(cam, testPrices.yearly)
    await slow.reached()
    expect((await changeElsewhere(cam, testPrices.yearly)).statusCode).toBe(200)
    expect(refusalOf(await changeElsewhere(cam, grand))).toEqual(underWay)
    await last
    expect((await changeElsewhere(cam, grand)).statusCode).toBe(200)
    expect(await chargesOf(cam)).toEqual([5000, 4500, 499])
  })
})

describe('a claim on a plan', () => {
  it('is over once the change has failed', async () => {
    const dan = await subscriber()
    await story.changeCard(dan, testCards.failsLater)
    expect(refusalOf(await change(dan, testPrices.yearly)).code).toBe('card-declined')
    await story.changeCard(dan, testCards.good)
    expect((await changeElsewhere(dan, grand)).statusCode).toBe(200)
    expect(await chargesOf(dan)).toEqual([9500, 499])
  })

  it('that a killed process has left runs out by itself', async () => {
    const eva = await subscriber()
    const until = new Date(at.site.clock.now().getTime() + 120_000)
    await at.site.context.database.db.paymentCustomer.update({
      where: { id: await story.customerOf(eva) },
      data: { changingTo: grand, changingBy: ['killed'], changingUntil: until },
    })
    expect(refusalOf(await change(eva, testPrices.yearly))).toEqual(underWay)
    at.site.clock.pass(120_000)
    expect((await change(eva, testPrices.yearly)).statusCode).toBe(200)
    expect(await chargesOf(eva)).toHaveLength(2)
  })

  it('that ran out before the charge charges nothing when another call has taken it', async () => {
    const fay = await subscriber()
    const slow = await delay('GET /v1/subscriptions', await story.customerOf(fay))
    const late = change(fay, testPrices.yearly)
    await slow.reached()
    other.clock.moveTo(new Date(at.site.clock.now().getTime() + 121_000))
    expect((await changeElsewhere(fay, grand)).statusCode).toBe(200)
    expect(refusalOf(await late)).toEqual(underWay)
    await at.settle()
    expect(await priceOf(fay)).toEqual([grand])
    expect(await chargesOf(fay)).toHaveLength(2)
  })
})
