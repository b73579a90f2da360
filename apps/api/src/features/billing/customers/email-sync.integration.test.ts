import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import type { TestMember } from '#test/membership.ts'
import { type PaymentSite, startPaymentSite, testPrices } from '#test/payment-site.ts'
import { waitOptions } from '#test/wait-options.ts'

let at: PaymentSite
beforeAll(async () => {
  at = await startPaymentSite()
})
afterAll(() => at.close())

async function changeAddress({ headers }: TestMember, email: string) {
  const reply = await at.members.call('POST', '/member-auth', { headers, body: { email } })
  expect(reply.statusCode).toBe(200)
}

/** Waits until the Stripe customer has this email address. */
async function waitForCustomerEmail(member: TestMember, email: string) {
  await vi.waitFor(async () => {
    const { stripeCustomerId } = await at.memberOf(member)
    expect(await at.stripe.customers.retrieve(stripeCustomerId ?? '')).toMatchObject({ email })
  }, waitOptions)
}

describe('the email address of the Stripe customer', () => {
  it("changes with the member's address", async () => {
    const ann = await at.members.signUp()
    await at.subscribe(ann, testPrices.monthly)
    await changeAddress(ann, 'ann-anew@example.com')
    await waitForCustomerEmail(ann, 'ann-anew@example.com')
  })

  it('changes after failed calls to Stripe are retried', async () => {
    const bea = await at.members.signUp()
    const { stripeCustomerId } = await at.subscribe(bea, testPrices.monthly)
    const match = `POST /v1/customers/${stripeCustomerId}`
    await at.controls.addFault({ kind: 'server-error', match, times: 3 })
    await changeAddress(bea, 'bea-anew@example.com')
    await waitForCustomerEmail(bea, 'bea-anew@example.com')
  })

  it('is current when the address changes while the customer is created', async () => {
    const cam = await at.members.signUp()
    const about = cam.memberId
    await at.controls.addFault({ kind: 'slow', match: 'POST /v1/customers', about, delayMs: 400 })
    const opening = at.openCheckout(cam, testPrices.monthly)
    await vi.waitFor(async () => {
      const left = await (await fetch(`${at.stripeUrl}/stripe/faults`)).text()
      if (left.includes(about)) throw new Error('The call is still to come.')
    }, waitOptions)
    await changeAddress(cam, 'cam-anew@example.com')
    await opening
    await waitForCustomerEmail(cam, 'cam-anew@example.com')
  })
})
