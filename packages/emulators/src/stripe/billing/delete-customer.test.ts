import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { advanceToDay, clockStart, createMember, createPrices, daySeconds } from '../testing/members.ts'
import { type StandIn, startStandIn } from '../testing/start-stand-in.ts'

let standIn: StandIn

beforeAll(async () => {
  standIn = await startStandIn()
})
afterAll(() => standIn.stop())

describe('a customer who was deleted', () => {
  test('is not subscribed by a schedule that was to begin later', async () => {
    const { stripe } = standIn
    const { monthly } = await createPrices(stripe)
    const { customerId, clockId } = await createMember(stripe)
    const schedule = await stripe.subscriptionSchedules.create({
      customer: customerId,
      start_date: clockStart + 10 * daySeconds,
      phases: [{ items: [{ price: monthly.id }] }],
    })
    await stripe.customers.del(customerId)
    expect(await stripe.subscriptionSchedules.retrieve(schedule.id)).toMatchObject({ status: 'canceled' })
    await advanceToDay(stripe, clockId, 11)
    expect((await stripe.subscriptions.list({ customer: customerId, status: 'all' })).data).toEqual([])
  })

  test('pays nothing more of what is open, and time goes on', async () => {
    const { stripe } = standIn
    const { customerId, clockId } = await createMember(stripe, 'pm_card_chargeCustomerFail')
    await stripe.invoiceItems.create({ customer: customerId, amount: 500, currency: 'usd' })
    const { id } = await stripe.invoices.create({
      customer: customerId,
      auto_advance: true,
      pending_invoice_items_behavior: 'include',
    })
    await advanceToDay(stripe, clockId, 1)
    expect(await stripe.invoices.retrieve(id ?? '')).toMatchObject({ status: 'open', attempt_count: 1 })
    await stripe.customers.del(customerId)
    await advanceToDay(stripe, clockId, 30)
    const { data } = await stripe.charges.list({ customer: customerId })
    expect(data.map(({ status }) => status)).toEqual(['failed'])
  })
})
