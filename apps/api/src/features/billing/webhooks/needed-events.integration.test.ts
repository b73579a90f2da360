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
