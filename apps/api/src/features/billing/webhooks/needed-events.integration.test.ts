import { describe, expect } from 'vitest'
import { createCapturedLog } from '#test/captured-log.ts'
import { paymentTest } from '#test/fixtures.ts'
import { neededEvents } from './needed-events.ts'

const log = createCapturedLog()
// An invoice that can't be finalized is logged as an error.

const it = paymentTest({ overrides: { logger: log.logger } })
  .extend('customerId', { scope: 'file' }, async ({ actions }) => {
    return await actions.customerOf(await actions.subscriber())
  })
  .extend('syncedAt', { scope: 'file' }, ({ db, customerId }) => async () => {
    return (await db.paymentCustomer.findUniqueOrThrow({ where: { id: customerId } })).syncedAt
  })

function eventOf(id: string, type: string, object: object) {
  return { id, object: 'event', type, created: 1_795_000_000, livemode: false, data: { object } }
}

/** An event about an invoice that stays a draft, as https://docs.stripe.com/api/invoices/object has it. */
function failureOf(customer: string, id: string) {
  const last_finalization_error = { code: 'customer_tax_location_invalid', type: 'invalid_request_error' }
  const invoice = { id: 'in_draft', object: 'invoice', customer, status: 'draft', last_finalization_error }
  return eventOf(id, 'invoice.finalization_failed', invoice)
}

function failures() {
  return log.entries().filter(({ msg }) => msg === 'invoice finalization failed')
}

describe('invoice.finalization_failed', () => {
  it("tells the operator about a member's invoice, once, and syncs the member", async ({
    payments,
    site,
    actions,
    customerId,
    syncedAt,
  }) => {
    const before = await syncedAt()
    site.clock.pass(1_000)
    for (const _time of ['first', 'repeated'])
      expect((await actions.deliver(failureOf(customerId, 'evt_own'))).statusCode).toBe(200)
    await payments.settle()

    expect(failures()).toMatchObject([{ level: 50, customerId, invoiceId: 'in_draft' }])
    expect(await site.context.metrics.registry.metrics()).toMatch(
      /^tidings_payment_finalization_failures_total 1$/m,
    )
    expect(await syncedAt()).not.toEqual(before)
  })

  it('is ignored for a customer of other sales', async ({ actions }) => {
    const before = failures()
    expect((await actions.deliver(failureOf('cus_other', 'evt_other'))).statusCode).toBe(200)
    expect(failures()).toEqual(before)
  })
})

/** Those about a dispute or refund name no customer. */
const aboutCustomers = neededEvents.filter((type) => !/^(charge\.dispute|refund)\./.test(type))

describe('each event that an endpoint must send', () => {
  it.for(aboutCustomers.filter((type) => type !== 'invoice.finalization_failed'))(
    'syncs its customer: %s',
    async (type, { payments, site, actions, customerId, syncedAt }) => {
      const before = await syncedAt()
      site.clock.pass(1_000)
      const object = { id: `any_${type}`, object: 'any', customer: customerId }
      expect((await actions.deliver(eventOf(`evt_${type}`, type, object))).statusCode).toBe(200)
      await payments.settle()
      expect(await syncedAt()).not.toEqual(before)
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
