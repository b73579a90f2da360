import { describe, expect } from 'vitest'
import { refusalOf } from '#test/desk.ts'
import { paymentTest } from '#test/fixtures.ts'
import { testPrices } from '#test/sites/payment-site.ts'

const it = paymentTest({})

describe('a price that is archived at Stripe', () => {
  it('is no longer available, and is sold again after a sync', async ({
    payments,
    site,
    members,
    stripe,
    db,
  }) => {
    const { id } = await db.stripePrice.findFirstOrThrow({
      where: { priceId: testPrices.monthly, current: true },
    })
    await stripe.prices.update(id, { active: false })
    const { headers } = await members.signUp()
    const path = '/member/plans/create-checkout-session'
    const call = await members.call('POST', path, { headers, body: { priceId: testPrices.monthly } })
    expect(refusalOf(call)).toMatchObject({ status: 400, code: 'price-no-longer-available' })
    await site.context.syncCatalog(() => {})
    expect(await payments.openCheckout({ headers }, testPrices.monthly)).toMatch(/^http/)
  })
})
