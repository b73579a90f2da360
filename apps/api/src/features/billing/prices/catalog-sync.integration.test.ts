import { describe, expect } from 'vitest'
import { addPlans, changeApp } from '#test/factories/app-settings.ts'
import { paymentTest } from '#test/fixtures.ts'

const monthly = { amount: 5, currency: 'usd', interval: 'MONTHLY' } as const
const manyPlans = Array.from({ length: 12 }, (_, index) => ({
  id: `pln_more-${index}`,
  name: `More ${index}`,
  prices: [{ id: `prc_more-${index}`, ...monthly }],
}))

const it = paymentTest()
  .extend('sitePlans', { scope: 'file' }, async ({ site }) => (await site.context.apps.siteApp()).plans)
  /** Syncs the plans to Stripe and returns the reported lines. */
  .extend('sync', { scope: 'file' }, ({ site }) => async (): Promise<string[]> => {
    const lines: string[] = []
    await site.context.syncCatalog((line) => lines.push(line))
    return lines
  })

it.beforeEach(async ({ site, sitePlans }) => {
  await changeApp(site, { plans: [...sitePlans] })
})

describe('syncCatalog', () => {
  it('deactivates every price of an app without plans', async ({ site, stripe, db, sync }) => {
    await changeApp(site, { plans: [] })
    const { appId } = site.context.config.site
    expect(await sync()).toContain(`${appId}: 0 prices current`)
    expect((await stripe.prices.list({ active: true })).data).toEqual([])
    expect((await stripe.products.list({ active: true })).data).toEqual([])
    expect(await db.stripePrice.count({ where: { appId, current: true } })).toBe(0)
  })

  it('sells as many plans as there are', async ({ payments, site, members, sync }) => {
    await addPlans(site, manyPlans)
    expect(await sync()).toContain(`${site.context.config.site.appId}: 14 prices current`)
    expect(await payments.openCheckout(await members.signUp(), 'prc_more-11')).toMatch(/^http/)
  })

  it('archives a price that became one-time, and creates none', async ({ site, stripe, db, sync }) => {
    const price = { id: 'prc_once', amount: 9, currency: 'usd' }
    const plan = { id: 'pln_once', name: 'Once' }
    await addPlans(site, [{ ...plan, prices: [{ ...price, interval: 'YEARLY' as const }] }])
    await sync()
    const plans = (await site.context.apps.siteApp()).plans.filter(({ id }) => id !== plan.id)
    await changeApp(site, { plans })
    await addPlans(site, [{ ...plan, prices: [{ ...price, type: 'ONETIME' as const }] }])
    await sync()
    const { data } = await stripe.prices.list({ limit: 100 })
    const found = data.filter(({ metadata }) => metadata.price === price.id)
    expect(found.map(({ active, type }) => [active, type])).toEqual([[false, 'recurring']])
    expect(await db.stripePrice.count({ where: { priceId: price.id, current: true } })).toBe(0)
  })

  it('sells synced prices even if the portal update fails', async ({ payments, site, members, sync }) => {
    await addPlans(site, [{ id: 'pln_new', name: 'New', prices: [{ id: 'prc_new', ...monthly }] }])
    const match = 'POST /v1/billing_portal/configurations'
    await payments.controls.addFault({ kind: 'server-error', match, times: 3 })
    await expect(sync()).rejects.toThrow()
    expect(await payments.openCheckout(await members.signUp(), 'prc_new')).toMatch(/^http/)
  })
})
