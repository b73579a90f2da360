import { submitForm } from '@tidings/emulators/stripe/testing/browse'
import { describe, expect } from 'vitest'
import { paymentTest } from '#test/fixtures.ts'
import { testCards } from '#test/payments/payment-actions.ts'
import { testPrices } from '#test/sites/payment-site.ts'

const it = paymentTest({})

describe('the card that pays an open invoice', () => {
  it.for([
    ['always', {}, '4444'],
    ['offer', { save: 'on' }, '4444'],
    ['offer', {}, '0341'],
    ['never', {}, '0341'],
  ] as const)(
    'pays the next renewal as the account has it: %s %o',
    async ([hostedPaymentMethodSave, choice, last4], { payments, actions, members, stripe }) => {
      await payments.controls.changeAccount({ hostedPaymentMethodSave })
      const member = await members.signUp()
      await payments.subscribe(member, testPrices.monthly)
      await actions.changeCard(member, testCards.failsLater)
      await payments.settle()
      await actions.pass(31)
      const customer = await actions.customerOf(member)
      const [invoice] = (await stripe.invoices.list({ customer, status: 'open' })).data
      await submitForm(invoice?.hosted_invoice_url ?? '', {
        card: '5555 5555 5555 4444',
        answer: 'pay',
        ...choice,
      })
      await payments.settle()
      await actions.pass(31)
      const { data } = await stripe.charges.list({ customer, limit: 1 })
      expect(data[0]?.payment_method_details?.card?.last4).toBe(last4)
      await actions.cancelAll()
    },
  )
})
