import { afterAll, beforeAll, expect, test } from 'vitest'
import { createPrices, giveCard } from '../../testing/billing.ts'
import { type Emulator, startEmulator } from '../../testing/start-emulator.ts'

let emulator: Emulator

beforeAll(async () => {
  emulator = await startEmulator()
})

afterAll(() => emulator.stop())

test('a charge tells of the card what the payment method tells', async () => {
  const { stripe } = emulator
  const { monthly } = await createPrices(stripe)
  const { id: customer } = await stripe.customers.create()
  const { card } = await giveCard(stripe, customer, 'pm_card_visa_debit')
  await stripe.subscriptions.create({ customer, items: [{ price: monthly.id }] })
  const [charge] = (await stripe.charges.list({ customer })).data
  expect(charge?.payment_method_details?.card).toMatchObject({
    fingerprint: card?.fingerprint,
    funding: 'debit',
    last4: card?.last4,
  })
})
