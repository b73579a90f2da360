import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createPrices, daySeconds, giveCard, itemOf } from '../../testing/billing.ts'
import { type Emulator, startEmulator, testNow } from '../../testing/start-emulator.ts'

const now = testNow().getTime() / 1_000

let emulator: Emulator

let prices: Awaited<ReturnType<typeof createPrices>>

beforeAll(async () => {
  emulator = await startEmulator()
  prices = await createPrices(emulator.stripe)
})

afterAll(() => emulator.stop())

describe('a clock for a customer that is there already', () => {
  test('moves what the customer has subscribed to', async () => {
    const { customers, subscriptions, invoices, testHelpers } = emulator.stripe
    const { id: customer } = await customers.create()
    await giveCard(emulator.stripe, customer, 'pm_card_visa')
    const { id } = await subscriptions.create({ customer, items: [{ price: prices.monthly.id }] })
    const clock = await testHelpers.testClocks.create({ frozen_time: now, customer })
    expect(await customers.retrieve(customer)).toMatchObject({ test_clock: clock.id })
    await testHelpers.testClocks.advance(clock.id, { frozen_time: now + 32 * daySeconds })
    const renewed = await subscriptions.retrieve(id)
    expect(renewed.test_clock).toBe(clock.id)
    expect(itemOf(renewed).current_period_end).toBeGreaterThan(now + 32 * daySeconds)
    expect((await invoices.list({ customer })).data.map(({ status }) => status)).toEqual(['paid', 'paid'])
    expect((await subscriptions.list({ status: 'all' })).data).toEqual([])
    expect((await subscriptions.list({ test_clock: clock.id })).data.map((one) => one.id)).toEqual([id])
  })

  test('is refused when the customer has one, and then there is no clock', async () => {
    const { customers, testHelpers } = emulator.stripe
    const { id: first } = await testHelpers.testClocks.create({ frozen_time: now })
    const { id: customer } = await customers.create({ test_clock: first })
    const before = (await testHelpers.testClocks.list()).data.length
    await expect(testHelpers.testClocks.create({ frozen_time: now, customer })).rejects.toMatchObject({
      type: 'StripeInvalidRequestError',
      param: 'customer',
    })
    expect((await testHelpers.testClocks.list()).data).toHaveLength(before)
  })

  test('is refused when nobody knows the customer', async () => {
    const { customers, testHelpers } = emulator.stripe
    const { id: gone } = await customers.create()
    await customers.del(gone)
    for (const customer of ['cus_nobody', gone]) {
      await expect(testHelpers.testClocks.create({ frozen_time: now, customer })).rejects.toMatchObject({
        code: 'resource_missing',
        param: 'customer',
      })
    }
  })
})

describe('test clocks', () => {
  test('what hangs on one has its time', async () => {
    const clock = await emulator.stripe.testHelpers.testClocks.create({ frozen_time: now })
    const customer = await emulator.stripe.customers.create({ test_clock: clock.id })
    expect(customer).toMatchObject({ created: now, test_clock: clock.id })
    const moved = await emulator.stripe.testHelpers.testClocks.advance(clock.id, { frozen_time: now + 60 })
    expect(moved).toMatchObject({ status: 'ready', frozen_time: now + 60 })
    const backwards = emulator.stripe.testHelpers.testClocks.advance(clock.id, { frozen_time: now })
    await expect(backwards).rejects.toMatchObject({ param: 'frozen_time' })
  })

  test('one that is deleted takes its customers along', async () => {
    const clock = await emulator.stripe.testHelpers.testClocks.create({ frozen_time: now })
    const { id } = await emulator.stripe.customers.create({ test_clock: clock.id })
    await emulator.stripe.testHelpers.testClocks.del(clock.id)
    expect(await emulator.stripe.customers.retrieve(id)).toMatchObject({ deleted: true })
    await expect(emulator.stripe.testHelpers.testClocks.retrieve(clock.id)).rejects.toMatchObject({
      statusCode: 404,
    })
  })
})
