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
  it("changes with the member's address", async ({ actions, changeAddress, waitForCustomerEmail }) => {
    const ann = await actions.subscriber()
    await changeAddress(ann, 'ann-anew@example.com')
    await waitForCustomerEmail(ann, 'ann-anew@example.com')
  })

  it('changes after failed calls to Stripe are retried', async ({
    payments,
    actions,
    changeAddress,
    waitForCustomerEmail,
  }) => {
    const bea = await actions.subscriber()
    const match = `POST /v1/customers/${await actions.customerOf(bea)}`
    await payments.controls.addFault({ kind: 'server-error', match, times: 3 })
    await changeAddress(bea, 'bea-anew@example.com')
    await waitForCustomerEmail(bea, 'bea-anew@example.com')
  })

  it('is current when the address changes while the customer is created', async ({
    payments,
    actions,
    members,
    changeAddress,
    waitForCustomerEmail,
  }) => {
    const cam = await members.signUp()
    const held = await actions.hold({ match: 'POST /v1/customers', about: cam.memberId })
    const opening = payments.openCheckout(cam, testPrices.monthly)
    await held.arrived()
    await changeAddress(cam, 'cam-anew@example.com')
    await held.release()
    await opening
    await waitForCustomerEmail(cam, 'cam-anew@example.com')
  })
})

describe('the Stripe customer of a member', () => {
  it('is one for both checkouts when the email address changes between them', async ({
    payments,
    actions,
    members,
    stripe,
    changeAddress,
  }) => {
    const dan = await members.signUp()
    const about = dan.memberId
    await payments.controls.addFault({ kind: 'slow', match: 'POST /v1/customers', about, delayMs: 300 })
    const slow = payments.openCheckout(dan, testPrices.monthly)
    await changeAddress(dan, 'dan-anew@example.com')
    await payments.openCheckout(dan, testPrices.monthly)
    await slow
    const { data } = await stripe.checkout.sessions.list({ customer: await actions.customerOf(dan) })
    expect(data).toHaveLength(2)
  })
})
