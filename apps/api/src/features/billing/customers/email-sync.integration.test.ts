import { describe, expect, vi } from 'vitest'
import { paymentTest } from '#test/fixtures.ts'
import type { TestMember } from '#test/membership.ts'
import { testPrices } from '#test/sites/payment-site.ts'
import { waitOptions } from '#test/wait-options.ts'

const it = paymentTest()
  .extend(
    'changeAddress',
    { scope: 'file' },
    ({ members }) =>
      async ({ headers }: TestMember, email: string) => {
        const reply = await members.call('POST', '/member-auth', { headers, body: { email } })
        expect(reply.statusCode).toBe(200)
      },
  )
  /** Waits until the Stripe customer has this email address. */
  .extend(
    'waitForCustomerEmail',
    { scope: 'file' },
    ({ payments, stripe }) =>
      async (member: TestMember, email: string) => {
        await vi.waitFor(async () => {
          const { stripeCustomerId } = await payments.memberOf(member)
          expect(await stripe.customers.retrieve(stripeCustomerId ?? '')).toMatchObject({ email })
        }, waitOptions)
      },
  )

describe('the email address of the Stripe customer', () => {
  it("changes with the member's address", async ({
    payments,
    members,
    changeAddress,
    waitForCustomerEmail,
  }) => {
    const ann = await members.signUp()
    await payments.subscribe(ann, testPrices.monthly)
    await changeAddress(ann, 'ann-anew@example.com')
    await waitForCustomerEmail(ann, 'ann-anew@example.com')
  })

  it('changes after failed calls to Stripe are retried', async ({
    payments,
    members,
    changeAddress,
    waitForCustomerEmail,
  }) => {
    const bea = await members.signUp()
    const { stripeCustomerId } = await payments.subscribe(bea, testPrices.monthly)
    const match = `POST /v1/customers/${stripeCustomerId}`
    await payments.controls.addFault({ kind: 'server-error', match, times: 3 })
    await changeAddress(bea, 'bea-anew@example.com')
    await waitForCustomerEmail(bea, 'bea-anew@example.com')
  })

  it('is current when the address changes while the customer is created', async ({
    payments,
    members,
    changeAddress,
    waitForCustomerEmail,
  }) => {
    const cam = await members.signUp()
    const about = cam.memberId
    await payments.controls.addFault({ kind: 'slow', match: 'POST /v1/customers', about, delayMs: 400 })
    const opening = payments.openCheckout(cam, testPrices.monthly)
    await vi.waitFor(async () => {
      const left = await (await fetch(`${payments.stripeUrl}/stripe/faults`)).text()
      if (left.includes(about)) throw new Error('The call is still to come.')
    }, waitOptions)
    await changeAddress(cam, 'cam-anew@example.com')
    await opening
    await waitForCustomerEmail(cam, 'cam-anew@example.com')
  })
})
