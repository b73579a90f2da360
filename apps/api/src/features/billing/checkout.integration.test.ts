import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type PaymentSite, startPaymentSite, testPrices } from '../../../test/payment-site.ts'

let at: PaymentSite
beforeAll(async () => {
  at = await startPaymentSite()
})
afterAll(() => at.close())

describe('paying for a plan', () => {
  it('opens it', async () => {
    const ann = await at.members.signUp()
    const member = await at.subscribe(ann, testPrices.monthly)
    expect(member.planConnections).toEqual([
      {
        id: expect.stringMatching(/^con_/),
        planId: 'pln_monthly-4f8t2c6hz9',
        planName: 'Monthly',
        active: true,
        status: 'ACTIVE',
        type: 'SUBSCRIPTION',
        payment: {
          priceId: testPrices.monthly,
          amount: 4.99,
          currency: 'usd',
          interval: 'MONTHLY',
          status: 'PAID',
          lastBillingDate: '2026-11-20T17:00:00.000Z',
          nextBillingDate: '2026-12-20T17:00:00.000Z',
          cancelAtDate: null,
        },
      },
    ])
    expect(member.permissions).toEqual(['paid'])
    expect(member.stripeCustomerId).toMatch(/^cus_/)
  })
})
