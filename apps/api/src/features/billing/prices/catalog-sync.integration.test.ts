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
  /** Returns the plan changes that the site's billing portal offers. */
  .extend('portalUpdates', { scope: 'file' }, ({ site, stripe }) => async () => {
    const { data } = await stripe.billingPortal.configurations.list({
      expand: ['data.features.subscription_update.products'],
    })
    const own = data.find(({ metadata }) => metadata?.app === site.context.config.site.appId)
    return own?.features.subscription_update
  })

it.beforeEach(async ({ site, sitePlans }) => {
  await changeApp(site, { plans: [...sitePlans] })
})

describe('syncCatalog', () => {
  it('deactivates every price of an app without plans', async ({ site, stripe, db, sync, portalUpdates }) => {
    await changeApp(site, { plans: [] })
    const { appId } = site.context.config.site
    expect(await sync()).toContain(`${appId}: 0 prices current`)
    expect((await stripe.prices.list({ active: true })).data).toEqual([])
    expect((await stripe.products.list({ active: true })).data).toEqual([])
    expect(await portalUpdates()).toMatchObject({ enabled: false })
    expect(await db.stripePrice.count({ where: { appId, current: true } })).toBe(0)
  })

  it('sells more plans than the portal can list', async ({
    payments,
    site,
    members,
    sync,
    portalUpdates,
  }) => {
    await addPlans(site, manyPlans)
    const { appId } = site.context.config.site
    expect(await sync()).toContain(`${appId}: portal: offers the first 10 of 14 plans, Stripe's limit`)
    expect((await portalUpdates())?.products).toHaveLength(10)
    expect(await payments.openCheckout(await members.signUp(), 'prc_more-11')).toMatch(/^http/)
  })

  it("sends a subscriber to the portal's first page for a plan that it does not list", async ({
    payments,
    site,
    members,
    sync,
  }) => {
    await addPlans(site, manyPlans)
    await sync()
    const member = await members.signUp()
    await payments.subscribe(member, 'prc_more-0')
    const url = await payments.openCheckout(member, 'prc_more-11')
    expect(new URL(url).pathname).toMatch(/^\/stripe\/portal\/[^/]+$/)
  })

  it('sells synced prices even if the portal update fails', async ({ payments, site, members, sync }) => {
    await addPlans(site, [{ id: 'pln_new', name: 'New', prices: [{ id: 'prc_new', ...monthly }] }])
    const match = 'POST /v1/billing_portal/configurations'
    await payments.controls.addFault({ kind: 'server-error', match, times: 3 })
    await expect(sync()).rejects.toThrow()
    expect(await payments.openCheckout(await members.signUp(), 'prc_new')).toMatch(/^http/)
  })
})
