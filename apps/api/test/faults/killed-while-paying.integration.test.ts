import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { systemClock } from '#platform/clock.ts'
import type { TestMember } from '../membership.ts'
import { createPaymentActions, paidPlansOf } from '../payments/payment-actions.ts'
import { type PaymentSite, startPaymentSite, testPrices } from '../sites/payment-site.ts'
import { type TestApp, useTestApp } from '../test-app.ts'
import { waitOptions } from '../wait-options.ts'
import { startApiProcess, startWorkerProcess } from './site-process.ts'

const monthlyPlan = 'pln_monthly-4f8t2c6hz9'
const yearlyPlan = 'pln_yearly-9b5s7j3dy6'

/** Starts a site with the system clock and without jobs, like the processes that are killed. */
async function useSite(): Promise<PaymentSite> {
  const site = await startPaymentSite({
    working: false,
    overrides: { clock: systemClock },
    stripe: { now: systemClock.now },
  })
  onTestFinished(() => site.close())
  return site
}

/** Starts another process of the site with a clock that is ahead. */
async function useLaterSite({ databaseUrl, env }: PaymentSite, aheadMs: number): Promise<TestApp> {
  const clock = { now: () => new Date(systemClock.now().getTime() + aheadMs) }
  return await useTestApp({ databaseUrl, env, working: false, overrides: { clock } })
}

/** Kills a process during the upgrades of two members, after Stripe has applied them and before its responses. */
async function killDuringUpgrades(at: PaymentSite) {
  const actions = createPaymentActions(at)
  await at.controls.setWebhooks({ mode: 'off' })
  const [ann, bea] = [await at.members.signUp(), await at.members.signUp()]
  for (const member of [ann, bea]) {
    await at.controls.completeCheckout(await at.openCheckout(member, testPrices.monthly))
    await at.site.context.subscriptionSync.sync(await actions.customerOf(member))
  }
  const env = { ...at.env, API_JOBS: 'off', SITE_URL: at.site.context.config.site.url.origin }
  const killedProcess = await startApiProcess({ databaseUrl: at.databaseUrl, env })
  await at.controls.addFault({ kind: 'timeout-after', match: 'POST /v1/subscriptions', times: 2 })

  const responses = [ann, bea].map(({ headers }) =>
    fetch(new URL('/member/plans/change', killedProcess.url), {
      method: 'POST',
      headers: { ...headers, 'content-type': 'application/json' },
      body: JSON.stringify({ priceId: testPrices.yearly }),
    }).catch(() => null),
  )
  for (const member of [ann, bea]) {
    await vi.waitFor(async () => {
      const { items } = await actions.subscriptionOf(member)
      expect(items.data[0]?.price.recurring?.interval).toBe('year')
    }, waitOptions)
  }
  await killedProcess.end('SIGKILL')
  expect(await Promise.all(responses)).toEqual([null, null])
  return { ann, bea, actions }
}

describe('a process killed after Stripe has accepted its request', () => {
  it('leaves a plan change to the next request of the member or to the reconciliation', async () => {
    const at = await useSite()
    const { ann, bea, actions } = await killDuringUpgrades(at)
    const invoicesOf = async (member: TestMember) =>
      (await at.stripe.invoices.list({ customer: await actions.customerOf(member) })).data
    expect(paidPlansOf(await at.memberOf(ann))).toMatchObject([{ planId: monthlyPlan, active: true }])

    const body = { priceId: testPrices.monthly }
    const changed = await at.members.call('POST', '/member/plans/change', { headers: bea.headers, body })
    const { changes } = await at.site.context.reconciliation.reconcile()

    expect(changed.json().data.change).toMatchObject({ effective: 'period-end', amountDue: 0 })
    expect(changes.filter(({ memberId }) => memberId === ann.memberId)).toEqual([
      { memberId: ann.memberId, planId: monthlyPlan, before: 'ACTIVE', after: 'none' },
      { memberId: ann.memberId, planId: yearlyPlan, before: 'none', after: 'ACTIVE' },
    ])
    expect(paidPlansOf(await at.memberOf(ann))).toMatchObject([{ planId: yearlyPlan, active: true }])
    for (const member of [ann, bea]) {
      expect((await invoicesOf(member)).map(({ status }) => status)).toEqual(['paid', 'paid'])
    }
  })

  it('leaves a refund to the reconciliation, which makes it once', async () => {
    const at = await useSite()
    const actions = createPaymentActions(at)
    const ann = await at.members.signUp()
    const pages = [
      await at.openCheckout(ann, testPrices.monthly),
      await at.openSecondCheckout(ann, testPrices.monthly),
    ]
    const refunds = async () => (await at.stripe.refunds.list({ limit: 100 })).data
    await at.controls.addFault({ kind: 'timeout-after', match: 'POST /v1/refunds' })
    for (const page of pages) await at.controls.completeCheckout(page)
    const killedProcess = await startWorkerProcess({ databaseUrl: at.databaseUrl, env: at.env })
    await vi.waitFor(async () => expect(await refunds()).toHaveLength(1), waitOptions)
    await killedProcess.end('SIGKILL')
    const statuses = async () => (await actions.subscriptionsOf(ann)).map(({ status }) => status).toSorted()
    expect(await statuses()).toEqual(['active', 'active'])

    // No other process syncs the customer until the lease of the killed process expires.
    expect(await at.site.context.subscriptionSync.sync(await actions.customerOf(ann))).toEqual([])
    expect(await statuses()).toEqual(['active', 'active'])
    const later = await useLaterSite(at, 5 * 60_000)
    const { changes } = await later.context.reconciliation.reconcile()

    expect(changes).toEqual([
      { memberId: ann.memberId, planId: monthlyPlan, before: 'none', after: 'ACTIVE' },
    ])
    expect(await statuses()).toEqual(['active', 'canceled'])
    expect(await refunds()).toHaveLength(1)
    expect(paidPlansOf(await at.memberOf(ann))).toMatchObject([{ planId: monthlyPlan, active: true }])
  })
})
