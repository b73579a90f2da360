import { describe, expect } from 'vitest'
import { paymentTest } from '#test/fixtures.ts'
import { testPrices } from '#test/sites/payment-site.ts'
import { neededEvents } from './needed-events.ts'

const it = paymentTest().extend('customerId', { scope: 'file' }, async ({ payments, members, actions }) => {
  const member = await members.signUp()
  await payments.subscribe(member, testPrices.monthly)
  return await actions.customerOf(member)
})

/** Those about a dispute or refund name no customer. */
const aboutCustomers = neededEvents.filter((type) => !/^(charge\.dispute|refund)\./.test(type))

describe('each event that an endpoint must send', () => {
  it.for(aboutCustomers.filter((type) => type !== 'invoice.finalization_failed'))(
    'syncs its customer: %s',
    async (type, { payments, site, actions, db, customerId }) => {
      const where = { id: customerId }
      const before = await db.paymentCustomer.findUniqueOrThrow({ where })
      site.clock.pass(1_000)
      const data = { object: { id: `any_${type}`, object: 'any', customer: customerId } }
      const event = {
        id: `evt_${type}`,
        type,
        object: 'event',
        created: 1_795_000_000,
        livemode: false,
        data,
      }
      expect((await actions.deliver(event)).statusCode).toBe(200)
      await payments.settle()
      expect((await db.paymentCustomer.findUniqueOrThrow({ where })).syncedAt).not.toEqual(before.syncedAt)
    },
  )
})

describe('the needed events', () => {
  it('are sent for each change of a customer that changes what renewals charge', async ({
    payments,
    stripe,
    actions,
    customerId,
  }) => {
    const before = new Set((await actions.eventsOf(customerId)).map(({ id }) => id))
    const { id: coupon } = await stripe.coupons.create({ percent_off: 20, duration: 'forever' })
    await payments.controls.discountCustomer(customerId, coupon)
    await stripe.customers.deleteDiscount(customerId)
    await stripe.customers.update(customerId, { address: { country: 'US', postal_code: '94107' } })
    const sent = (await actions.eventsOf(customerId)).filter(({ id }) => !before.has(id))
    const types = [...new Set(sent.map(({ type }) => type))]
    expect(types).toContain('customer.discount.created')
    expect(types.filter((type) => !neededEvents.includes(type))).toEqual([])
  })
})
