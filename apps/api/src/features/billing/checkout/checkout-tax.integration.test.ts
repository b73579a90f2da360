import { appReply } from '@tidings/contracts/membership/widget-config'
import { expect } from 'vitest'
import { paymentTest } from '#test/fixtures.ts'
import { testPrices } from '#test/sites/payment-site.ts'

const it = paymentTest({ env: { STRIPE_TAX: 'on', STRIPE_TAX_BEHAVIOR: 'inclusive' } })

it('collects the address and tax id at checkout, and keeps automatic tax in plan changes', async ({
  payments,
  members,
  stripe,
}) => {
  const ann = await members.signUp()
  const { stripeCustomerId } = await payments.subscribe(ann, testPrices.yearly)
  const customer = stripeCustomerId ?? ''
  const { data: sessions } = await stripe.checkout.sessions.list({ customer })
  expect(sessions).toMatchObject([
    {
      automatic_tax: { enabled: true },
      billing_address_collection: 'required',
      tax_id_collection: { enabled: true },
    },
  ])

  const body = { priceId: testPrices.monthly }
  await members.call('POST', '/member/plans/change', { headers: ann.headers, body })

  const { data } = await stripe.subscriptions.list({ customer, expand: ['data.schedule'] })
  expect(data).toMatchObject([
    {
      automatic_tax: { enabled: true },
      items: { data: [{ price: { tax_behavior: 'inclusive' } }] },
      schedule: { default_settings: { automatic_tax: { enabled: true } } },
    },
  ])
})

it('says before the checkout that prices include tax', async ({ members }) => {
  const { data } = appReply.parse((await members.call('GET', '/app')).json())
  const prices = data.plans.flatMap((plan) => plan.prices)
  expect(prices.map(({ taxBehavior }) => taxBehavior)).toEqual(['inclusive', 'inclusive'])
})
