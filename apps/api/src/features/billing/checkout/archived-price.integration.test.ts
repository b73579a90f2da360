import { describe, expect } from 'vitest'
import { createCapturedLog } from '#test/captured-log.ts'
import { refusalOf } from '#test/desk.ts'
import { paymentTest } from '#test/fixtures.ts'
import { testPrices } from '#test/sites/payment-site.ts'

const log = createCapturedLog()
const it = paymentTest({ overrides: { logger: log.logger } })

describe('a price that is archived at Stripe', () => {
  it('is no longer available, which is logged, and is sold again after a sync', async ({
    payments,
    site,
    members,
    stripe,
    db,
  }) => {
    const where = { priceId: testPrices.monthly, current: true }
    const { id } = await db.stripePrice.findFirstOrThrow({ where })
    await stripe.prices.update(id, { active: false })
    const { headers } = await members.signUp()
    const path = '/member/plans/create-checkout-session'
    const call = await members.call('POST', path, { headers, body: { priceId: testPrices.monthly } })
    expect(refusalOf(call)).toMatchObject({ status: 400, code: 'price-no-longer-available' })
    const logged = log.lines.map((line) => JSON.parse(line)).filter(({ level }) => level >= 50)
    expect(logged.map(({ msg }) => msg)).toEqual(['price archived at Stripe: run `payments sync`'])
    await site.context.syncCatalog(() => {})
    expect(await payments.openCheckout({ headers }, testPrices.monthly)).toMatch(/^http/)
  })
})
