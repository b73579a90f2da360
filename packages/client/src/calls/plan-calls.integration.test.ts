import { describe, expect } from 'vitest'
import { expectRefusal, type Guest, it } from '../testing/guest.ts'
import { about, codeTo, mailTo } from '../testing/inbox.ts'

type PlanName = 'Monthly' | 'Yearly'

async function planOf({ client }: Guest, kind: 'free' | 'paid') {
  const { data } = await client.getApp()
  const plan = data.plans.find(({ prices }) => (kind === 'free') === (prices.length === 0))
  if (plan === undefined) throw new Error(`The app has no ${kind} plan`)
  return plan
}

/** Returns the price of the app's plan with this name. */
async function priceOf({ client }: Guest, planName: PlanName): Promise<{ priceId: string }> {
  const { data } = await client.getApp()
  const [price] = data.plans.find(({ name }) => name === planName)?.prices ?? []
  if (price === undefined) throw new Error(`The app has no price for ${planName}`)
  return { priceId: price.id }
}

/** Waits until the member's only paid plan matches `wanted`, and returns it. */
async function paidPlan(guest: Guest, wanted: { planName: PlanName; status?: string }) {
  const read = async () =>
    ((await guest.member())?.planConnections ?? []).filter(({ type }) => type === 'SUBSCRIPTION')
  await expect.poll(read).toEqual([expect.objectContaining({ active: true, ...wanted })])
  const [plan] = await read()
  return plan
}

/** Pays on a checkout page of the Stripe emulator, with a card that it accepts. */
async function payAt(pageUrl: string): Promise<void> {
  const headers = { 'content-type': 'application/json', accept: 'application/json' }
  const { status } = await fetch(`${pageUrl}/complete`, { method: 'POST', headers, body: '{}' })
  expect(status).toBe(200)
}

/** Signs up, confirms the address, so that emails about payments arrive at once, and pays for a plan. */
async function subscribe(guest: Guest, planName: PlanName) {
  const { email } = await guest.signUp()
  await guest.client.verifyMemberEmail({ email, code: await codeTo(email, about.verification) })
  const order = { ...(await priceOf(guest, planName)), autoRedirect: false }
  const { data } = await guest.client.purchasePlansWithCheckout(order)
  await payAt(data.url)
  await paidPlan(guest, { planName })
  return { email, order }
}

describe('a free plan', () => {
  it('is added and removed, unlike a paid one', async ({ guest }) => {
    await guest.signUp()
    const { id: planId } = await planOf(guest, 'free')
    const paid = await planOf(guest, 'paid')
    const { data: added } = await guest.client.addPlan({ planId })
    expect(added.member.planConnections).toMatchObject([{ planId, type: 'FREE', active: true }])
    await expectRefusal(guest.client.addPlan({ planId }), { code: 'already-have-plan', status: 409 })
    const { data: removed } = await guest.client.removePlan({ planId })
    expect(removed.member.planConnections.filter(({ active }) => active)).toEqual([])
    await expectRefusal(guest.client.removePlan({ planId }), { code: 'no-plan-found', status: 404 })
    await expectRefusal(guest.client.addPlan({ planId: paid.id }), { code: 'plan-not-free', status: 400 })
  })

  it('is added by a sign-up, unlike a paid one', async ({ guest }) => {
    const { id: planId } = await planOf(guest, 'free')
    const { member } = await guest.signUp({ plans: [{ planId }] })
    expect(member.planConnections).toMatchObject([{ planId, active: true, payment: null }])
    const paid = await planOf(guest, 'paid')
    const attempt = guest.signUp({ plans: [{ planId: paid.id }] })
    await expectRefusal(attempt, { code: 'plan-not-free', status: 400 })
  })
})

describe('a plan change', () => {
  it('to a more expensive plan applies at once, for the previewed amount', async ({ guest }) => {
    const { email } = await subscribe(guest, 'Monthly')
    const upgrade = await priceOf(guest, 'Yearly')
    const before = await guest.client.previewPlanChange(upgrade)
    expect(before.data).toMatchObject({
      from: { planName: 'Monthly', amount: 4.99, interval: 'MONTHLY' },
      to: { planName: 'Yearly', amount: 49.99, interval: 'YEARLY' },
      effective: 'now',
      currency: 'usd',
    })
    expect(before.data.amountDue).toBeGreaterThan(44)
    expect(before.message).toMatch(/^Yearly starts now\. You pay \$4\d\.\d\d today\./)
    await paidPlan(guest, { planName: 'Monthly' })
    const readContent = () => guest.client.getSecureContent({ contentId: 'yearly-only' })
    await expectRefusal(readContent(), { code: 'access-denied', status: 403 })

    const { data, message } = await guest.client.changePlan(upgrade)
    expect(data.change.effective).toBe('now')
    expect(message).toMatch(/^Yearly has started\./)
    const active = data.member.planConnections.filter((plan) => plan.active)
    expect(active.map(({ planName }) => planName)).toContain('Yearly')
    await paidPlan(guest, { planName: 'Yearly', status: 'ACTIVE' })
    await readContent()
    expect(await mailTo(email, 'Your plan was changed')).toContain('Yearly')
  })

  it('to a cheaper plan applies at the period end, unless it is undone', async ({ guest }) => {
    const { email } = await subscribe(guest, 'Yearly')
    const { data, message } = await guest.client.changePlan(await priceOf(guest, 'Monthly'))
    const plan = await paidPlan(guest, { planName: 'Yearly' })
    expect(data.change).toMatchObject({
      effective: 'period-end',
      effectiveAt: plan?.payment?.nextBillingDate,
      amountDue: 0,
    })
    expect(message).toMatch(/^You keep Yearly until .+ Then Monthly starts for \$4\.99 a month\.$/)
    await mailTo(email, 'Your plan will change')
    const { message: stayed } = await guest.client.changePlan(await priceOf(guest, 'Yearly'))
    expect(stayed).toBe("You're staying on Yearly.")
    await paidPlan(guest, { planName: 'Yearly' })
  })

  it('to the plan that the member has is refused, as is another checkout of it', async ({ guest }) => {
    const { order } = await subscribe(guest, 'Monthly')
    const { purchasePlansWithCheckout, previewPlanChange, changePlan } = guest.client
    for (const call of [purchasePlansWithCheckout, previewPlanChange, changePlan]) {
      await expectRefusal(call(order), { code: 'already-have-plan', status: 409 })
    }
  })
})

describe('the billing portal', () => {
  it('has a page for a subscriber, and none for a member who never paid', async ({ guest }) => {
    const { client } = guest
    await guest.signUp()
    const refusal = { code: 'no-billing-account', status: 404 }
    await expectRefusal(client.launchStripeCustomerPortal({ autoRedirect: false }), refusal)
    await subscribe(guest, 'Monthly')
    const { data } = await client.launchStripeCustomerPortal({ autoRedirect: false })
    expect((await fetch(data.url)).status).toBe(200)
  })
})
