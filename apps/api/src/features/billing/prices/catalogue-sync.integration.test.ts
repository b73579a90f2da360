import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { addPlans, changeApp } from '#test/factories/app-settings.ts'
import { type PaymentSite, startPaymentSite } from '#test/payment-site.ts'

const monthly = { amount: 5, currency: 'usd', interval: 'MONTHLY' } as const

let at: PaymentSite
beforeEach(async () => {
  at = await startPaymentSite()
})
afterEach(() => at.close())

async function sync(): Promise<string[]> {
  const lines: string[] = []
  await at.site.context.syncCatalogue((line) => lines.push(line))
  return lines
}

/** Returns the plan changes that the site's billing portal offers. */
async function portalUpdates() {
  const { data } = await at.stripe.billingPortal.configurations.list({
    expand: ['data.features.subscription_update.products'],
  })
  const own = data.find(({ metadata }) => metadata?.app === at.site.context.config.site.appId)
  return own?.features.subscription_update
}

describe('syncCatalogue', () => {
  it('deactivates every price of an app without plans', async () => {
    await changeApp(at.site, { plans: [] })
    const { appId } = at.site.context.config.site
    expect(await sync()).toContain(`${appId}: 0 prices current`)
    expect((await at.stripe.prices.list({ active: true })).data).toEqual([])
    expect((await at.stripe.products.list({ active: true })).data).toEqual([])
    expect(await portalUpdates()).toMatchObject({ enabled: false })
    const { db } = at.site.context.database
    expect(await db.stripePrice.count({ where: { appId, current: true } })).toBe(0)
  })

  it('sells more plans than the portal can list', async () => {
    const plans = Array.from({ length: 12 }, (_, index) => ({
      id: `pln_more-${index}`,
      name: `More ${index}`,
      prices: [{ id: `prc_more-${index}`, ...monthly }],
    }))
    await addPlans(at.site, plans)
    const { appId } = at.site.context.config.site
    expect(await sync()).toContain(`${appId}: portal: offers the first 10 of 14 plans, Stripe's limit`)
    expect((await portalUpdates())?.products).toHaveLength(10)
    expect(await at.openCheckout(await at.members.signUp(), 'prc_more-11')).toMatch(/^http/)
  })

  it("sends a subscriber to the portal's first page for a plan that it does not list", async () => {
    const plans = Array.from({ length: 12 }, (_, index) => ({
      id: `pln_more-${index}`,
      name: `More ${index}`,
      prices: [{ id: `prc_more-${index}`, ...monthly }],
    }))
    await addPlans(at.site, plans)
    await sync()
    const member = await at.members.signUp()
    await at.subscribe(member, 'prc_more-0')
    const url = await at.openCheckout(member, 'prc_more-11')
    expect(new URL(url).pathname).toMatch(/^\/stripe\/portal\/[^/]+$/)
  })

  it('sells synced prices even if the portal update fails', async () => {
    await addPlans(at.site, [{ id: 'pln_new', name: 'New', prices: [{ id: 'prc_new', ...monthly }] }])
    const match = 'POST /v1/billing_portal/configurations'
    await at.controls.addFault({ kind: 'server-error', match, times: 3 })
    await expect(sync()).rejects.toThrow()
    expect(await at.openCheckout(await at.members.signUp(), 'prc_new')).toMatch(/^http/)
  })
})
