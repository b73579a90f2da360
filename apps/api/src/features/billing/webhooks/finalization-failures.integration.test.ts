import { describe, expect } from 'vitest'
import { createCapturedLog } from '#test/captured-log.ts'
import { paymentTest } from '#test/fixtures.ts'
import { testPrices } from '#test/sites/payment-site.ts'

const log = createCapturedLog()
const it = paymentTest({ overrides: { logger: log.logger } })

/** An event about an invoice that stays a draft, as https://docs.stripe.com/api/invoices/object has it. */
function failureOf(customer: string, id: string) {
  const last_finalization_error = { code: 'customer_tax_location_invalid', type: 'invalid_request_error' }
  const object = { id: 'in_draft', object: 'invoice', customer, status: 'draft', last_finalization_error }
  const type = 'invoice.finalization_failed'
  return { id, object: 'event', type, created: 1_795_000_000, livemode: false, data: { object } }
}

function failures() {
  return log.lines.map((line) => JSON.parse(line)).filter(({ msg }) => msg === 'invoice finalization failed')
}

describe('invoice.finalization_failed', () => {
  it("tells the operator about a member's invoice, once, and syncs the member", async ({
    payments,
    site,
    actions,
    members,
    db,
  }) => {
    const member = await members.signUp()
    await payments.subscribe(member, testPrices.monthly)
    const customer = await actions.customerOf(member)
    const before = await db.paymentCustomer.findUniqueOrThrow({ where: { id: customer } })
    site.clock.pass(1_000)
    for (const _time of ['first', 'repeated'])
      expect((await actions.deliver(failureOf(customer, 'evt_own'))).statusCode).toBe(200)
    await payments.settle()

    expect(failures()).toMatchObject([{ level: 50, customerId: customer, invoiceId: 'in_draft' }])
    expect(await site.context.metrics.registry.metrics()).toMatch(
      /^tidings_payment_finalization_failures_total 1$/m,
    )
    const after = await db.paymentCustomer.findUniqueOrThrow({ where: { id: customer } })
    expect(after.syncedAt).not.toEqual(before.syncedAt)
  })

  it('is ignored for a customer of other sales', async ({ actions }) => {
    const before = failures()
    expect((await actions.deliver(failureOf('cus_other', 'evt_other'))).statusCode).toBe(200)
    expect(failures()).toEqual(before)
  })
})
