import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { type CheckoutSite, openCheckout } from '../../testing/open-checkout.ts'
import { refusal } from '../../testing/start-emulator.ts'

let site: CheckoutSite

beforeEach(async () => {
  site = await openCheckout()
})
afterEach(() => site.stop())

describe('POST /v1/billing_portal/configurations', () => {
  test('stores its features', async () => {
    const { id } = await site.createConfiguration({ metadata: { app: 'news' } })
    const plain = await site.stripe.billingPortal.configurations.retrieve(id)
    expect(plain).toMatchObject({
      object: 'billing_portal.configuration',
      active: true,
      is_default: false,
      metadata: { app: 'news' },
      features: { subscription_cancel: { enabled: true, mode: 'at_period_end' } },
    })
  })

  test('an update keeps omitted features', async () => {
    const { id } = await site.createConfiguration()
    const updated = await site.stripe.billingPortal.configurations.update(id, {
      features: { subscription_cancel: { enabled: false } },
    })
    expect(updated.features).toMatchObject({
      subscription_cancel: { enabled: false, mode: 'at_period_end' },
      subscription_update: { enabled: false },
      invoice_history: { enabled: true },
    })
  })

  test('lists active configurations', async () => {
    const [kept, dropped] = [await site.createConfiguration(), await site.createConfiguration()]
    await site.stripe.billingPortal.configurations.update(dropped.id, { active: false })
    const { data } = await site.stripe.billingPortal.configurations.list({ active: true })
    expect(data.map(({ id }) => id)).toEqual([kept.id])
  })
})

describe('POST /v1/billing_portal/sessions', () => {
  test.each([
    ['an unknown customer', { customer: 'cus_none' }, 'customer'],
    ['an unknown configuration', { configuration: 'bpc_none' }, 'configuration'],
  ])('%s is rejected', async (_what, params, param) => {
    expect(await refusal(site.openPortal(params))).toMatchObject({ code: 'resource_missing', param })
  })
})
