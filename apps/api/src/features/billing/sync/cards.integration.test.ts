import { submitForm } from '@tidings/emulators/stripe/testing/browse'
import { describe, expect } from 'vitest'
import { paymentTest } from '#test/fixtures.ts'
import type { TestMember } from '#test/membership.ts'
import { paidPlansOf } from '#test/payments/payment-actions.ts'
import { testPrices } from '#test/sites/payment-site.ts'

const checkoutCard = '4242'
const newCard = { number: '5555 5555 5555 4444', last4: '4444' }

const it = paymentTest()
  .extend('ann', ({ members }) => members.signUp())
  /** Changes the card in the portal, a minute later. */
  .extend(
    'changeCardInPortal',
    { scope: 'file' },
    ({ site, members }) =>
      async ({ headers }: TestMember): Promise<void> => {
        site.clock.pass(60_000)
        const path = '/member/create-billing-portal-session'
        const { url } = (await members.call('POST', path, { headers, body: {} })).json().data
        expect(await submitForm(`${url}/card`, { card: newCard.number })).toMatchObject({ problem: null })
      },
  )
  /** Returns the last digits of the cards that a member was charged on, oldest first. */
  .extend('chargedCards', { scope: 'file' }, ({ stripe, actions }) => async (member: TestMember) => {
    const { data } = await stripe.charges.list({ customer: await actions.customerOf(member) })
    return data.map(({ payment_method_details: details }) => details?.card?.last4).reverse()
  })
  /** Returns a member's default card, and the own cards of their subscriptions. */
  .extend('cardsOf', { scope: 'file' }, ({ stripe, actions }) => async (member: TestMember) => {
    const customer = await stripe.customers.retrieve(await actions.customerOf(member), {
      expand: ['invoice_settings.default_payment_method'],
    })
    const current = customer.deleted ? null : customer.invoice_settings.default_payment_method
    const subscriptions = await actions.subscriptionsOf(member)
    return {
      current: current !== null && typeof current === 'object' ? current.card?.last4 : current,
      own: subscriptions.map(({ default_payment_method: own }) => own),
    }
  })
  /** Subscribes without events, so that nothing is synced yet. */
  .extend(
    'subscribeSilently',
    { scope: 'file' },
    ({ payments, actions }) =>
      async (member: TestMember): Promise<void> => {
        await actions.disableWebhooks()
        await payments.controls.completeCheckout(await payments.openCheckout(member, testPrices.monthly))
      },
  )

describe('a renewal', () => {
  it('charges the card that the member changed to', async ({
    payments,
    actions,
    ann,
    changeCardInPortal,
    chargedCards,
  }) => {
    await payments.subscribe(ann, testPrices.monthly)
    await changeCardInPortal(ann)
    await actions.pass(31)
    expect(await chargedCards(ann)).toEqual([checkoutCard, newCard.last4])
  })

  it('charges the card of the checkout as long as it is not changed', async ({
    payments,
    actions,
    ann,
    chargedCards,
    cardsOf,
  }) => {
    await payments.subscribe(ann, testPrices.monthly)
    await actions.pass(31)
    expect(await chargedCards(ann)).toEqual([checkoutCard, checkoutCard])
    expect(await cardsOf(ann)).toEqual({ current: checkoutCard, own: [null] })
  })

  it('charges the changed card of a subscription whose events were lost, after a reconcile', async ({
    actions,
    site,
    ann,
    subscribeSilently,
    changeCardInPortal,
    chargedCards,
  }) => {
    await subscribeSilently(ann)
    await changeCardInPortal(ann)
    await site.context.reconciliation.reconcile()
    await actions.pass(31)
    expect(await chargedCards(ann)).toEqual([checkoutCard, newCard.last4])
  })

  it('charges the changed card of a subscription that was synced before', async ({
    payments,
    actions,
    stripe,
    site,
    ann,
    changeCardInPortal,
    chargedCards,
  }) => {
    await payments.subscribe(ann, testPrices.monthly)
    const { id } = await actions.subscriptionOf(ann)
    const { id: pinned } = await stripe.paymentMethods.attach('pm_card_visa', {
      customer: await actions.customerOf(ann),
    })
    await actions.disableWebhooks()
    await stripe.subscriptions.update(id, { default_payment_method: pinned })
    await changeCardInPortal(ann)
    await site.context.reconciliation.reconcile()
    await actions.pass(31)
    expect(await chargedCards(ann)).toEqual([checkoutCard, newCard.last4])
  })

  it('charges the card of the latest checkout instead of an older default', async ({
    payments,
    actions,
    stripe,
    site,
    ann,
    chargedCards,
  }) => {
    const checkout = await payments.openCheckout(ann, testPrices.monthly)
    const customer = await actions.customerOf(ann)
    const { id } = await stripe.paymentMethods.attach('pm_card_amex', { customer })
    await stripe.customers.update(customer, { invoice_settings: { default_payment_method: id } })
    site.clock.pass(60_000)
    await payments.controls.completeCheckout(checkout)
    await payments.settle()
    await actions.pass(31)
    expect(await chargedCards(ann)).toEqual([checkoutCard, checkoutCard])
  })
})

describe('a sync of a subscription with its own card', () => {
  it('completes after a crash between its two calls', async ({
    payments,
    actions,
    site,
    ann,
    subscribeSilently,
    cardsOf,
  }) => {
    await subscribeSilently(ann)
    const customer = await actions.customerOf(ann)
    await payments.controls.addFault({ kind: 'reset', match: 'POST /v1/subscriptions/', times: 3 })
    await expect(site.context.subscriptionSync.sync(customer)).rejects.toThrow()
    expect(await cardsOf(ann)).toEqual({ current: checkoutCard, own: [expect.stringMatching(/^pm_/)] })
    await site.context.subscriptionSync.sync(customer)
    await site.context.subscriptionSync.sync(customer)
    expect(await cardsOf(ann)).toEqual({ current: checkoutCard, own: [null] })
  })

  it('opens the plan although Stripe refuses the change of a subscription that was just canceled', async ({
    payments,
    actions,
    site,
    ann,
    subscribeSilently,
  }) => {
    await subscribeSilently(ann)
    const held = await actions.hold({ match: 'GET /v1/subscriptions/' })
    const synced = site.context.subscriptionSync.sync(await actions.customerOf(ann))
    await held.arrived()
    await actions.cancelAtStripe(ann)
    await held.release()
    expect(await synced).toMatchObject([{ before: 'none', after: 'ACTIVE' }])
    expect(paidPlansOf(await payments.memberOf(ann))).toMatchObject([{ active: true, status: 'ACTIVE' }])
  })

  it('leaves the own card of a subscription to another product', async ({
    payments,
    actions,
    stripe,
    site,
    ann,
  }) => {
    await payments.openCheckout(ann, testPrices.monthly)
    const customer = await actions.customerOf(ann)
    const { id: product } = await stripe.products.create({ name: 'Printed almanac' })
    const price = await stripe.prices.create({
      product,
      currency: 'usd',
      unit_amount: 3_900,
      recurring: { interval: 'year' },
    })
    const { id: card } = await stripe.paymentMethods.attach('pm_card_visa', { customer })
    const { id } = await stripe.subscriptions.create({
      customer,
      items: [{ price: price.id }],
      default_payment_method: card,
    })
    await payments.settle()
    await site.context.subscriptionSync.sync(customer)
    await site.context.reconciliation.reconcile()
    expect((await stripe.subscriptions.retrieve(id)).default_payment_method).toBe(card)
    expect(await stripe.customers.retrieve(customer)).toMatchObject({
      invoice_settings: { default_payment_method: null },
    })
  })
})
