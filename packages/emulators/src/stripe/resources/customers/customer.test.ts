import type Stripe from 'stripe'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createPrices, giveCard } from '../../testing/billing.ts'
import { type Emulator, startEmulator } from '../../testing/start-emulator.ts'

let emulator: Emulator
let stripe: Stripe

beforeAll(async () => {
  emulator = await startEmulator()
  stripe = emulator.stripe
})
afterAll(() => emulator.stop())

describe('customers', () => {
  test('an update keeps omitted fields, and an empty string unsets', async () => {
    const { id } = await stripe.customers.create({
      name: 'Ann',
      description: '123',
      metadata: { keep: '1', drop: '2' },
    })
    const customer = await stripe.customers.update(id, { description: '', metadata: { drop: '', add: '3' } })
    expect(customer).toMatchObject({ name: 'Ann', description: null })
    expect(customer.metadata).toEqual({ keep: '1', add: '3' })
    expect(await stripe.customers.update(id, { name: 'Anna' })).toHaveProperty('metadata', customer.metadata)
  })

  test('an empty string unsets the phone and the addresses, and an address has all of its fields', async () => {
    const shipping = { name: 'Ann', address: { line1: '1 Main Street' } }
    const given = {
      phone: '+15550100',
      metadata: { old: '1' },
      address: { city: 'Oslo', country: 'NO' },
      shipping,
    }
    const { id, ...created } = await stripe.customers.create(given)
    expect(created).toMatchObject({ ...given, address: { city: 'Oslo', country: 'NO', line1: null } })
    const unset = await stripe.customers.update(id, { phone: '', address: '', shipping: '', metadata: '' })
    expect(unset).toMatchObject({ phone: null, address: null, shipping: null })
    expect(unset.metadata).toEqual({})
  })

  test('a deleted customer is only an id and accepts no changes', async () => {
    const { id } = await stripe.customers.create({ email: 'gone@example.com' })
    await stripe.customers.del(id)
    expect(await stripe.customers.retrieve(id)).toMatchObject({ id, deleted: true })
    expect((await stripe.customers.list({ email: 'gone@example.com' })).data).toEqual([])
    const attaching = stripe.paymentMethods.attach('pm_card_visa', { customer: id })
    await expect(attaching).rejects.toMatchObject({ code: 'resource_missing', param: 'customer' })
    await expect(stripe.customers.update(id, { name: 'x' })).rejects.toMatchObject({ statusCode: 404 })
  })
})

describe('payment methods', () => {
  test('a card becomes the customer’s default', async () => {
    const { id: customer } = await stripe.customers.create({ payment_method: 'pm_card_visa' })
    const [card] = (await stripe.paymentMethods.list({ customer, type: 'card' })).data
    expect(card?.card).toMatchObject({ brand: 'visa', last4: '4242' })
    const default_payment_method = card?.id ?? ''
    const updated = await stripe.customers.update(customer, { invoice_settings: { default_payment_method } })
    expect(updated.invoice_settings.default_payment_method).toBe(card?.id)
  })

  test('a detached card is no default and can’t be detached again', async () => {
    const { id: customer } = await stripe.customers.create()
    const card = await giveCard(stripe, customer, 'pm_card_visa')
    expect(await stripe.paymentMethods.detach(card.id)).toMatchObject({ id: card.id, customer: null })
    expect((await stripe.paymentMethods.list({ customer })).data).toEqual([])
    const current = await stripe.customers.retrieve(customer)
    expect(current).toMatchObject({ invoice_settings: { default_payment_method: null } })
    await expect(stripe.paymentMethods.detach(card.id)).rejects.toMatchObject({ statusCode: 400 })
  })

  test('a declined card is not saved and creates no customer', async () => {
    const email = 'declined@example.com'
    const creating = stripe.customers.create({ email, payment_method: 'pm_card_chargeDeclined' })
    await expect(creating).rejects.toMatchObject({
      type: 'StripeCardError',
      code: 'card_declined',
      decline_code: 'generic_decline',
    })
    expect((await stripe.customers.list({ email })).data).toEqual([])
  })

  test('another customer’s card cannot be used', async () => {
    const [ann, ben] = [await stripe.customers.create(), await stripe.customers.create()]
    const card = await stripe.paymentMethods.attach('pm_card_mastercard', { customer: ann.id })
    await expect(stripe.paymentMethods.attach(card.id, { customer: ben.id })).rejects.toMatchObject({
      code: 'payment_method_unexpected_state',
    })
    const invoice_settings = { default_payment_method: card.id }
    await expect(stripe.customers.update(ben.id, { invoice_settings })).rejects.toMatchObject({
      statusCode: 400,
    })
  })
})

test('a charge shows the same card as its payment method', async () => {
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
