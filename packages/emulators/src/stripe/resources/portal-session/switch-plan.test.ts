import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { openPage, submitForm } from '../../testing/browse.ts'
import { type CheckoutSite, openCheckout } from '../../testing/open-checkout.ts'

let site: CheckoutSite

beforeEach(async () => {
  site = await openCheckout()
})

afterEach(() => site.stop())

describe('switching the plan', () => {
  test('to the dearer one: the page says what is paid now, and so it is', async () => {
    const { id } = await site.subscribe()
    const portal = await site.openPortal()
    const plans = await openPage(`${portal}/subscriptions/${id}/update`)
    expect(plans.html).toContain('$90.00 every year')
    expect(plans.html).not.toContain(`value="${site.catalog.monthly.id}"`)
    const confirm = await openPage(`${portal}/subscriptions/${id}/confirm?price=${site.catalog.yearly.id}`)
    expect(confirm.rows['Paid now']).toBe('$81.00')
    const done = await submitForm(`${portal}/subscriptions/${id}/confirm`, { price: site.catalog.yearly.id })
    expect((await site.follow(done)).html).toContain('Your plan is changed.')
    const changed = await site.stripe.subscriptions.retrieve(id, { expand: ['latest_invoice'] })
    expect(changed.items.data).toMatchObject([{ price: { id: site.catalog.yearly.id } }])
    expect(changed.latest_invoice).toMatchObject({ status: 'paid', amount_paid: 8_100 })
  })

  test('to the shorter interval: it waits for the end of the period, and can be taken back', async () => {
    const { id, items } = await site.subscribe({ price: site.catalog.yearly.id })
    const portal = await site.openPortal()
    const confirm = await openPage(`${portal}/subscriptions/${id}/confirm?price=${site.catalog.monthly.id}`)
    expect(confirm.html).toContain('The plan changes on 20 November 2027')
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

  test('a card that is declined changes nothing', async () => {
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

  test('at once ends a change that waits; a card that is declined leaves it waiting', async () => {
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

  test('a price that is not offered cannot be had', async () => {
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
