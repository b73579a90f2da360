import { afterAll, beforeAll, expect, it } from 'vitest'
import { type PaymentSite, startPaymentSite, testPrices } from '#test/payment-site.ts'

let at: PaymentSite
beforeAll(async () => {
  at = await startPaymentSite({ env: { STRIPE_TAX: 'on', STRIPE_TAX_BEHAVIOR: 'inclusive' } })
})
afterAll(() => at.close())

it('collects the address and tax id at checkout, and keeps automatic tax in plan changes', async () => {
  const ann = await at.members.signUp()
  const { stripeCustomerId } = await at.subscribe(ann, testPrices.yearly)
  const customer = stripeCustomerId ?? ''
  const { data: sessions } = await at.stripe.checkout.sessions.list({ customer })
  expect(sessions).toMatchObject([
    {
      automatic_tax: { enabled: true },
      billing_address_collection: 'required',
      tax_id_collection: { enabled: true },
    },
  ])

  const body = { priceId: testPrices.monthly }
  await at.members.call('POST', '/member/plans/change', { headers: ann.headers, body })

  const { data } = await at.stripe.subscriptions.list({ customer, expand: ['data.schedule'] })
  expect(data).toMatchObject([
    {
      automatic_tax: { enabled: true },
      items: { data: [{ price: { tax_behavior: 'inclusive' } }] },
      schedule: { default_settings: { automatic_tax: { enabled: true } } },
    },
  ])
})
