import { describe, expect } from 'vitest'
import { refusalOf } from '#test/desk.ts'
import { paymentTest } from '#test/fixtures.ts'
import type { TestMember } from '#test/membership.ts'
import { testPrices } from '#test/sites/payment-site.ts'

const it = paymentTest()

describe('RATE_PAYMENTS_PER_MINUTE', () => {
  it('limits all payment calls of a member together', async ({ site, payments, members }) => {
    site.limitCalls('payments', 4)
    const [ann, bea] = [await members.signUp(), await members.signUp()]
    const body = { priceId: testPrices.monthly }
    const post = async (path: string, { headers }: TestMember) =>
      await members.call('POST', path, { headers, body })
    const paths = [
      '/member/plans/create-checkout-session',
      '/member/create-billing-portal-session',
      '/member/plans/change/preview',
      '/member/plans/change',
    ]
    for (const path of paths) expect((await post(path, ann)).statusCode).not.toBe(429)
    for (const path of paths) {
      const reply = await post(path, ann)
      expect(refusalOf(reply).status).toBe(429)
      expect(Number(reply.headers['retry-after'])).toBeGreaterThan(0)
    }
    expect((await post(paths[0] ?? '', bea)).statusCode).toBe(200)
    expect((await payments.memberOf(ann)).stripeCustomerId).toMatch(/^cus_/)
  })
})
