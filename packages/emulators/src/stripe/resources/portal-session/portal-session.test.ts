import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { openPage, submitForm } from '../../testing/browse.ts'
import { type CheckoutSite, openCheckout } from '../../testing/open-checkout.ts'
import { refusal } from '../../testing/start-emulator.ts'

let site: CheckoutSite

beforeEach(async () => {
  site = await openCheckout()
})
afterEach(() => site.stop())

describe('POST /v1/billing_portal/configurations', () => {
  test('stores its features; only expand adds the products', async () => {
    const { id } = await site.createConfiguration({ metadata: { app: 'news' } })
    const plain = await site.stripe.billingPortal.configurations.retrieve(id)
    expect(plain).toMatchObject({
      object: 'billing_portal.configuration',
      active: true,
      is_default: false,
      metadata: { app: 'news' },
      features: { subscription_cancel: { enabled: true, mode: 'at_period_end' } },
    })
    expect(plain.features.subscription_update.products).toBeUndefined()
    const whole = await site.stripe.billingPortal.configurations.retrieve(id, {
      expand: ['features.subscription_update.products'],
    })
    expect(whole.features.subscription_update.products).toMatchObject([
      { product: site.catalog.product.id, prices: [site.catalog.monthly.id, site.catalog.yearly.id] },
    ])
  })

  test('an update keeps omitted features', async () => {
    const { id } = await site.createConfiguration()
    const updated = await site.stripe.billingPortal.configurations.update(id, {
      features: { subscription_cancel: { enabled: false } },
    })
    expect(updated.features).toMatchObject({
      subscription_cancel: { enabled: false, mode: 'at_period_end' },
      subscription_update: { enabled: true },
      invoice_history: { enabled: true },
    })
  })

  test('rejects two prices of a product with the same interval', async () => {
    const other = await site.stripe.prices.create({
      product: site.catalog.product.id,
      currency: 'usd',
      unit_amount: 700,
      recurring: { interval: 'month' },
    })
    const subscriptionUpdate = {
      enabled: true,
      default_allowed_updates: ['price'],
      products: [{ product: site.catalog.product.id, prices: [site.catalog.monthly.id, other.id] }],
    }
    const error = await refusal(
      site.createConfiguration({ features: { subscription_update: subscriptionUpdate } }),
    )
    expect(error).toMatchObject({ param: 'features[subscription_update][products][0][prices]' })
  })

  test('accepts at most ten products', async () => {
    const { product, monthly } = site.catalog
    const products = (count: number) =>
      Array.from({ length: count }, () => ({ product: product.id, prices: [monthly.id] }))
    const createWith = (count: number) =>
      site.createConfiguration({
        features: {
          subscription_update: {
            enabled: true,
            default_allowed_updates: ['price'],
            products: products(count),
          },
        },
      })
    expect(await refusal(createWith(11))).toMatchObject({
      statusCode: 400,
      param: 'features[subscription_update][products]',
    })
    const { id } = await createWith(10)
    const features = { subscription_update: { products: products(11) } }
    const updating = site.stripe.billingPortal.configurations.update(id, { features })
    expect((await refusal(updating)).statusCode).toBe(400)
  })

  test('lists active configurations', async () => {
    const [kept, dropped] = [await site.createConfiguration(), await site.createConfiguration()]
    await site.stripe.billingPortal.configurations.update(dropped.id, { active: false })
    const { data } = await site.stripe.billingPortal.configurations.list({ active: true })
    expect(data.map(({ id }) => id)).toEqual([kept.id])
  })
})

describe('POST /v1/billing_portal/sessions', () => {
  test('rejects a flow about another customer’s subscription', async () => {
    const { id } = await site.subscribe()
    const other = await site.stripe.customers.create({ email: 'eve@example.com' })
    const configuration = (await site.createConfiguration()).id
    const error = await refusal(
      site.stripe.billingPortal.sessions.create({
        customer: other.id,
        configuration,
        flow_data: {
          type: 'subscription_update_confirm',
          subscription_update_confirm: { subscription: id, items: [{ id: 'si_any', price: 'price_any' }] },
        },
      }),
    )
    expect(error).toMatchObject({
      code: 'resource_missing',
      param: 'flow_data[subscription_update_confirm][subscription]',
    })
  })

  test('rejects a price that the configuration does not offer', async () => {
    const subscription = await site.subscribe()
    const other = await site.stripe.prices.create({
      product: site.catalog.product.id,
      currency: 'usd',
      unit_amount: 1,
      recurring: { interval: 'month', interval_count: 3 },
    })
    const item = subscription.items.data[0]?.id ?? ''
    const error = await refusal(
      site.openPortal({
        flow_data: {
          type: 'subscription_update_confirm',
          subscription_update_confirm: {
            subscription: subscription.id,
            items: [{ id: item, price: other.id }],
          },
        },
      }),
    )
    expect(error).toMatchObject({ param: 'flow_data[subscription_update_confirm][items][0][price]' })
  })

  test.each([
    ['an unknown customer', { customer: 'cus_none' }, 'customer'],
    ['an unknown configuration', { configuration: 'bpc_none' }, 'configuration'],
  ])('%s is rejected', async (_what, params, param) => {
    expect(await refusal(site.openPortal(params))).toMatchObject({ code: 'resource_missing', param })
  })
})

describe('switching the plan', () => {
  test('to a more expensive plan charges what the page shows', async () => {
    const { id } = await site.subscribe()
    const portal = await site.openPortal()
    const plans = await openPage(`${portal}/subscriptions/${id}/update`)
    expect(plans.html).toContain('$90.00 every year')
    expect(plans.html).not.toContain(`value="${site.catalog.monthly.id}"`)
    const confirm = await openPage(`${portal}/subscriptions/${id}/confirm?price=${site.catalog.yearly.id}`)
    expect(confirm.rows['Paid now']).toBe('$81.00')
    const done = await submitForm(`${portal}/subscriptions/${id}/confirm`, { price: site.catalog.yearly.id })
    expect((await site.follow(done)).html).toContain('Your plan was changed.')
    const changed = await site.stripe.subscriptions.retrieve(id, { expand: ['latest_invoice'] })
    expect(changed.items.data).toMatchObject([{ price: { id: site.catalog.yearly.id } }])
    expect(changed.latest_invoice).toMatchObject({ status: 'paid', amount_paid: 8_100 })
  })

  test('to a shorter interval waits for the end of the period and can be canceled', async () => {
    const { id, items } = await site.subscribe({ price: site.catalog.yearly.id })
    const portal = await site.openPortal()
    const confirm = await openPage(`${portal}/subscriptions/${id}/confirm?price=${site.catalog.monthly.id}`)
    expect(confirm.html).toContain('Your plan changes on 20 November 2027')
    await submitForm(`${portal}/subscriptions/${id}/confirm`, { price: site.catalog.monthly.id })
    const waiting = await site.stripe.subscriptions.retrieve(id, { expand: ['schedule'] })
    expect(waiting.items.data).toMatchObject([{ price: { id: site.catalog.yearly.id } }])
    expect(waiting.schedule).toMatchObject({
      status: 'active',
      phases: [
        { end_date: items.data[0]?.current_period_end },
        { items: [{ price: site.catalog.monthly.id }], start_date: items.data[0]?.current_period_end },
      ],
    })
    expect((await openPage(portal)).html).toContain(
      'Changes on 20 November 2027 to Tidings, $9.00 every month.',
    )
    await submitForm(`${portal}/subscriptions/${id}/stay`, {})
    expect(await site.stripe.subscriptions.retrieve(id)).toMatchObject({ schedule: null })
  })

  test('changes nothing after a decline', async () => {
    const { id } = await site.subscribe()
    await site.payWith(id, 'pm_card_chargeCustomerFail')
    const portal = await site.openPortal()
    const refused = await submitForm(`${portal}/subscriptions/${id}/confirm`, {
      price: site.catalog.yearly.id,
    })
    expect(refused.problem).toBe('Your card was declined.')
    expect((await site.stripe.subscriptions.retrieve(id)).items.data).toMatchObject([
      { price: { id: site.catalog.monthly.id } },
    ])
  })

  test('an immediate switch cancels a pending one, unless the card is declined', async () => {
    const { id } = await site.subscribe({ price: site.catalog.yearly.id })
    const supporter = await site.stripe.prices.create({
      product: site.catalog.product.id,
      currency: 'usd',
      unit_amount: 30_000,
      recurring: { interval: 'year', interval_count: 2 },
    })
    const configuration = await site.createConfiguration()
    await site.stripe.billingPortal.configurations.update(configuration.id, {
      features: {
        subscription_update: {
          enabled: true,
          products: [
            {
              product: site.catalog.product.id,
              prices: [site.catalog.monthly.id, site.catalog.yearly.id, supporter.id],
            },
          ],
        },
      },
    })
    const confirm = `${await site.openPortal({ configuration: configuration.id })}/subscriptions/${id}/confirm`
    await submitForm(confirm, { price: site.catalog.monthly.id })
    await site.payWith(id, 'pm_card_chargeCustomerFail')
    await submitForm(confirm, { price: supporter.id })
    expect((await site.stripe.subscriptions.retrieve(id)).schedule).toMatch(/^sub_sched_/)
    await site.payWith(id, 'pm_card_visa')
    await submitForm(confirm, { price: supporter.id })
    expect(await site.stripe.subscriptions.retrieve(id)).toMatchObject({
      schedule: null,
      items: { data: [{ price: { id: supporter.id } }] },
    })
  })

  test('rejects a price that is not offered', async () => {
    const { id } = await site.subscribe()
    const other = await site.stripe.prices.create({
      product: site.catalog.product.id,
      currency: 'usd',
      unit_amount: 1,
      recurring: { interval: 'month' },
    })
    const refused = await submitForm(`${await site.openPortal()}/subscriptions/${id}/confirm`, {
      price: other.id,
    })
    expect(refused.status).toBe(404)
  })
})
