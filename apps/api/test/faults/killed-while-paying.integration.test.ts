import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { systemClock } from '#platform/clock.ts'
import { createPaymentActions, paidPlansOf } from '../payment-actions.ts'
import { type PaymentSite, startPaymentSite, testPrices } from '../payment-site.ts'
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

/** Kills a process during an upgrade, after Stripe has applied it and before the response. */
async function killDuringUpgrade(at: PaymentSite) {
  const actions = createPaymentActions(at)
  const ann = await at.members.signUp()
  await at.controls.setWebhooks({ mode: 'off' })
  await at.controls.completeCheckout(await at.openCheckout(ann, testPrices.monthly))
  await at.site.context.subscriptionSync.sync(await actions.customerOf(ann))
  const env = { ...at.env, API_JOBS: 'off', SITE_URL: at.site.context.config.site.url.origin }
  const killedProcess = await startApiProcess({ databaseUrl: at.databaseUrl, env })
  await at.controls.addFault({ kind: 'timeout-after', match: 'POST /v1/subscriptions' })

  const response = fetch(new URL('/member/plans/change', killedProcess.url), {
    method: 'POST',
    headers: { ...ann.headers, 'content-type': 'application/json' },
    body: JSON.stringify({ priceId: testPrices.yearly }),
  }).catch(() => null)
  await vi.waitFor(async () => {
    const { items } = await actions.subscriptionOf(ann)
    expect(items.data[0]?.price.recurring?.interval).toBe('year')
  }, waitOptions)
  await killedProcess.end('SIGKILL')
  expect(await response).toBeNull()
  return { actions, ann }
}

describe('a process killed after Stripe has accepted its request', () => {
  it('leaves a plan change to the reconciliation', async () => {
    const at = await useSite()
    const { actions, ann } = await killDuringUpgrade(at)
    const { reconciliation } = at.site.context
    expect(paidPlansOf(await at.memberOf(ann))).toMatchObject([{ planId: monthlyPlan, active: true }])

    const { changes } = await reconciliation.reconcile()

    expect(changes).toEqual([
      { memberId: ann.memberId, planId: monthlyPlan, before: 'ACTIVE', after: 'none' },
      { memberId: ann.memberId, planId: yearlyPlan, before: 'none', after: 'ACTIVE' },
    ])
    expect(paidPlansOf(await at.memberOf(ann))).toMatchObject([{ planId: yearlyPlan, active: true }])
    const { data: invoices } = await at.stripe.invoices.list({ customer: await actions.customerOf(ann) })
    expect(invoices.map(({ status }) => status)).toEqual(['paid', 'paid'])
  })

  it('lets the member change the plan again at once, without a second charge', async () => {
    const at = await useSite()
    const { actions, ann } = await killDuringUpgrade(at)
    const body = { priceId: testPrices.monthly }
    const changed = await at.members.call('POST', '/member/plans/change', { headers: ann.headers, body })
    expect(changed.json().data.change).toMatchObject({ effective: 'period-end', amountDue: 0 })
    const { data: invoices } = await at.stripe.invoices.list({ customer: await actions.customerOf(ann) })
    expect(invoices.map(({ status }) => status)).toEqual(['paid', 'paid'])
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

    // No other process cancels subscriptions until the lease of the killed process expires.
    const later = await useLaterSite(at, 15 * 60_000)
    const { changes } = await later.context.reconciliation.reconcile()

    expect(changes).toEqual([
      { memberId: ann.memberId, planId: monthlyPlan, before: 'none', after: 'ACTIVE' },
    ])
    expect(await statuses()).toEqual(['active', 'canceled'])
    expect(await refunds()).toHaveLength(1)
    expect(paidPlansOf(await at.memberOf(ann))).toMatchObject([{ planId: monthlyPlan, active: true }])
  })
})
