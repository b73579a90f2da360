import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { openPage, submitForm } from '../../testing/browse.ts'
import { openTill, type Till } from '../../testing/open-checkout.ts'

let till: Till

beforeEach(async () => {
  till = await openTill()
})

afterEach(() => till.stop())

describe('switching the plan', () => {
  test('to the dearer one: the page says what is paid now, and so it is', async () => {
    const { id } = await till.subscribe()
    const portal = await till.openPortal()
    const plans = await openPage(`${portal}/subscriptions/${id}/update`)
    expect(plans.html).toContain('$90.00 every year')
    expect(plans.html).not.toContain(`value="${till.shop.monthly.id}"`)
    const confirm = await openPage(`${portal}/subscriptions/${id}/confirm?price=${till.shop.yearly.id}`)
    expect(confirm.rows['Paid now']).toBe('$81.00')
    const done = await submitForm(`${portal}/subscriptions/${id}/confirm`, { price: till.shop.yearly.id })
    expect((await till.follow(done)).html).toContain('Your plan is changed.')
    const changed = await till.stripe.subscriptions.retrieve(id, { expand: ['latest_invoice'] })
    expect(changed.items.data).toMatchObject([{ price: { id: till.shop.yearly.id } }])
    expect(changed.latest_invoice).toMatchObject({ status: 'paid', amount_paid: 8_100 })
  })

  test('to the shorter interval: it waits for the end of the period, and can be taken back', async () => {
    const { id, items } = await till.subscribe({ price: till.shop.yearly.id })
    const portal = await till.openPortal()
    const confirm = await openPage(`${portal}/subscriptions/${id}/confirm?price=${till.shop.monthly.id}`)
    expect(confirm.html).toContain('The plan changes on 20 November 2027')
    await submitForm(`${portal}/subscriptions/${id}/confirm`, { price: till.shop.monthly.id })
    const waiting = await till.stripe.subscriptions.retrieve(id, { expand: ['schedule'] })
    expect(waiting.items.data).toMatchObject([{ price: { id: till.shop.yearly.id } }])
    expect(waiting.schedule).toMatchObject({
      status: 'active',
      phases: [
        { end_date: items.data[0]?.current_period_end },
        { items: [{ price: till.shop.monthly.id }], start_date: items.data[0]?.current_period_end },
      ],
    })
    expect((await openPage(portal)).html).toContain(
      'Changes on 20 November 2027 to Tidings, $9.00 every month.',
    )
    await submitForm(`${portal}/subscriptions/${id}/stay`, {})
    expect(await till.stripe.subscriptions.retrieve(id)).toMatchObject({ schedule: null })
  })

  test('a card that is declined changes nothing', async () => {
    const { id } = await till.subscribe()
    await till.payWith(id, 'pm_card_chargeCustomerFail')
    const portal = await till.openPortal()
    const refused = await submitForm(`${portal}/subscriptions/${id}/confirm`, { price: till.shop.yearly.id })
    expect(refused.problem).toBe('Your card was declined.')
    expect((await till.stripe.subscriptions.retrieve(id)).items.data).toMatchObject([
      { price: { id: till.shop.monthly.id } },
    ])
  })

  test('at once ends a change that waits; a card that is declined leaves it waiting', async () => {
    const { id } = await till.subscribe({ price: till.shop.yearly.id })
    const supporter = await till.stripe.prices.create({
      product: till.shop.product.id,
      currency: 'usd',
      unit_amount: 30_000,
      recurring: { interval: 'year', interval_count: 2 },
    })
    const configuration = await till.createConfiguration()
    await till.stripe.billingPortal.configurations.update(configuration.id, {
      features: {
        subscription_update: {
          enabled: true,
          products: [
            {
              product: till.shop.product.id,
              prices: [till.shop.monthly.id, till.shop.yearly.id, supporter.id],
            },
          ],
        },
      },
    })
    const confirm = `${await till.openPortal({ configuration: configuration.id })}/subscriptions/${id}/confirm`
    await submitForm(confirm, { price: till.shop.monthly.id })
    await till.payWith(id, 'pm_card_chargeCustomerFail')
    await submitForm(confirm, { price: supporter.id })
    expect((await till.stripe.subscriptions.retrieve(id)).schedule).toMatch(/^sub_sched_/)
    await till.payWith(id, 'pm_card_visa')
    await submitForm(confirm, { price: supporter.id })
    expect(await till.stripe.subscriptions.retrieve(id)).toMatchObject({
      schedule: null,
      items: { data: [{ price: { id: supporter.id } }] },
    })
  })

  test('a price that is not offered cannot be had', async () => {
    const { id } = await till.subscribe()
    const other = await till.stripe.prices.create({
      product: till.shop.product.id,
      currency: 'usd',
      unit_amount: 1,
      recurring: { interval: 'month' },
    })
    const refused = await submitForm(`${await till.openPortal()}/subscriptions/${id}/confirm`, {
      price: other.id,
    })
    expect(refused.status).toBe(404)
  })
})
