import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { openPage, submitForm } from '../../testing/browse.ts'
import { type CheckoutSite, openCheckout } from '../../testing/open-checkout.ts'

let site: CheckoutSite

beforeEach(async () => {
  site = await openCheckout()
})

afterEach(() => site.stop())

describe('the card', () => {
  test('becomes the customer’s default one; a subscription’s own card stays', async () => {
    const { id, default_payment_method: old } = await site.subscribe()
    const done = await submitForm(`${await site.openPortal()}/card`, { card: '5555 5555 5555 4444' })
    expect((await site.follow(done)).html).toContain('Your card is saved.')
    expect((await site.stripe.subscriptions.retrieve(id)).default_payment_method).toBe(old)
    const customer = await site.stripe.customers.retrieve(site.catalog.customer.id, {
      expand: ['invoice_settings.default_payment_method'],
    })
    expect(customer).toMatchObject({
      invoice_settings: { default_payment_method: { card: { last4: '4444' } } },
    })
  })

  test.each([
    ['4000000000000002', 'Your card was declined.'],
    ['1234', 'Your card number is incorrect.'],
  ])('%s is refused in place, and the old card stays', async (card, problem) => {
    const { id, default_payment_method: old } = await site.subscribe()
    const refused = await submitForm(`${await site.openPortal()}/card`, { card })
    expect(refused).toMatchObject({ status: 200, problem })
    expect((await site.stripe.subscriptions.retrieve(id)).default_payment_method).toBe(old)
  })

  test('one that asks for authentication is saved once it is completed', async () => {
    const portal = await site.openPortal()
    expect((await submitForm(`${portal}/card`, { card: '4000002500003155' })).html).toContain('Is it you?')
    const done = await submitForm(`${portal}/card`, { card: '4000002500003155', answer: 'authenticate' })
    expect((await site.follow(done)).html).toContain('Visa ending in 3155')
  })

  test('a new one pays what is open, and the subscription is active again', async () => {
    const { id } = await site.subscribe()
    await site.payWith(id, 'pm_card_chargeCustomerFail')
    await site.admin.advanceTime(31 * 86_400)
    expect((await site.stripe.subscriptions.retrieve(id)).status).toBe('past_due')
    const portal = await site.openPortal()
    expect((await openPage(portal)).problem).toContain('The last payment has not gone through.')
    const shown = await openPage(`${portal}/card`)
    expect(shown.html).toContain('$9.00 has not been paid yet.')
    const done = await submitForm(`${portal}/card`, { card: '4242424242424242' })
    expect((await site.follow(done)).html).toContain('what was open is paid')
    expect((await site.stripe.subscriptions.retrieve(id)).status).toBe('active')
  })
})

describe('the page of an invoice', () => {
  async function failPayment() {
    const { id } = await site.subscribe()
    await site.payWith(id, 'pm_card_chargeCustomerFail')
    await site.admin.advanceTime(31 * 86_400)
    const { latest_invoice: invoice } = await site.stripe.subscriptions.retrieve(id)
    const { hosted_invoice_url: page } = await site.stripe.invoices.retrieve(String(invoice))
    return { id, page: page ?? '' }
  }

  test('says what is owed, and a card pays it and what comes after', async () => {
    const { id, page } = await failPayment()
    const shown = await openPage(page)
    expect(shown.html).toContain('Not paid yet')
    expect(shown.rows.Total).toBe('$9.00')
    expect((await submitForm(page, { card: '4000000000000341' })).problem).toBe('Your card was declined.')
    expect((await submitForm(page, { card: '4000002760003184' })).html).toContain('Is it you?')
    const paid = await submitForm(page, { card: '4242424242424242' })
    expect((await site.follow(paid)).html).toContain('<p class="status">Paid</p>')
    expect((await site.stripe.subscriptions.retrieve(id)).status).toBe('active')
  })

  test('is paid once, and a card that comes later changes nothing', async () => {
    const { page } = await failPayment()
    await submitForm(page, { card: '4242424242424242' })
    await submitForm(page, { card: '5555555555554444' })
    const { data } = await site.stripe.charges.list({ customer: site.catalog.customer.id })
    expect(data.filter(({ paid }) => paid)).toHaveLength(2)
  })

  test('is also what the invoice names as its document', async () => {
    const { page } = await failPayment()
    const invoice = await site.stripe.invoices.retrieve(page.split('/').at(-1) ?? '')
    expect((await openPage(invoice.invoice_pdf ?? '')).rows.Total).toBe('$9.00')
  })

  test('is not there for an invoice that nobody made', async () => {
    expect((await openPage(`${site.url}/stripe/invoices/in_none`)).status).toBe(404)
  })
})
