import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { createCatalog, schedulePrice } from '../testing/billing.ts'
import { openPage, submitForm } from '../testing/browse.ts'
import { type CheckoutSite, openCheckout } from '../testing/open-checkout.ts'
import { startEmulator } from '../testing/start-emulator.ts'

let site: CheckoutSite

beforeEach(async () => {
  site = await openCheckout()
})
afterEach(() => site.stop())

describe('the home page of the portal', () => {
  test('shows the subscription, its next payment and its card', async () => {
    await site.subscribe()
    const page = await openPage(await site.openPortal())
    expect(page.status).toBe(200)
    expect(page.html).toContain('Your subscription')
    expect(page.html).toContain('$9.00 every month')
    expect(page.html).toContain('Next payment: $9.00 on 20 December 2026.')
    expect(page.html).toContain('Visa ending in 4242')
    expect(page.html).toContain('href="https://news.example.com/account"')
    expect(Object.values(page.rows)).toEqual(['$9.00 Paid'])
  })

  test('neither shows nor accepts features that are off', async () => {
    const { id } = await site.subscribe()
    const configuration = await site.createConfiguration({
      features: { invoice_history: { enabled: false } },
    })
    const portal = await site.openPortal({ configuration: configuration.id })
    const page = await openPage(portal)
    expect(page.html).not.toContain('Cancel subscription')
    expect(page.html).not.toContain('Change card')
    expect(page.rows).toEqual({})
    expect((await submitForm(`${portal}/subscriptions/${id}/cancel`, {})).status).toBe(403)
    expect((await submitForm(`${portal}/card`, { card: '4242424242424242' })).status).toBe(403)
    expect((await site.stripe.subscriptions.retrieve(id)).cancel_at).toBeNull()
  })

  test('expires after an hour', async () => {
    const portal = await site.openPortal()
    await site.admin.advanceTime(3_601)
    expect((await openPage(portal)).status).toBe(404)
  })

  test('cannot change another customer’s subscription', async () => {
    const { id } = await site.subscribe()
    const other = await site.stripe.customers.create({ email: 'eve@example.com' })
    const portal = await site.openPortal({ customer: other.id })
    expect((await submitForm(`${portal}/subscriptions/${id}/cancel`, {})).status).toBe(404)
    expect((await site.stripe.subscriptions.retrieve(id)).cancel_at).toBeNull()
  })
})

describe('canceling in the portal', () => {
  test('takes effect at the end of the period and can be undone', async () => {
    const { id, items } = await site.subscribe()
    const portal = await site.openPortal()
    const asked = await openPage(`${portal}/subscriptions/${id}/cancel`)
    expect(asked.html).toContain('It runs until 20 December 2026. You will not be charged again.')
    const done = await submitForm(`${portal}/subscriptions/${id}/cancel`, {})
    expect((await site.follow(done)).html).toContain('Ends on 20 December 2026.')
    expect(await site.stripe.subscriptions.retrieve(id)).toMatchObject({
      status: 'active',
      cancel_at_period_end: false,
      cancel_at: items.data[0]?.current_period_end,
      cancellation_details: { reason: 'cancellation_requested' },
    })
    await submitForm(`${portal}/subscriptions/${id}/resume`, {})
    expect(await site.stripe.subscriptions.retrieve(id)).toMatchObject({
      cancel_at_period_end: false,
      cancel_at: null,
      canceled_at: null,
    })
  })

  test('cancels a pending plan change', async () => {
    const { id, items } = await site.subscribe({ price: site.catalog.yearly.id })
    const portal = await site.openPortal()
    await schedulePrice(site.stripe, id, site.catalog.monthly.id)
    expect((await openPage(portal)).html).toContain(
      'Changes on 20 November 2027 to Tidings, $9.00 every month.',
    )
    await submitForm(`${portal}/subscriptions/${id}/cancel`, {})
    expect(await site.stripe.subscriptions.retrieve(id)).toMatchObject({
      schedule: null,
      cancel_at: items.data[0]?.current_period_end,
    })
  })
})

describe('a restart', () => {
  test('keeps the pages', async () => {
    const dataDir = await mkdtemp(join(tmpdir(), 'tidings-stripe-'))
    const first = await startEmulator({ dataDir })
    const { monthly, customer } = await createCatalog(first.stripe)
    const checkout = await first.stripe.checkout.sessions.create({
      mode: 'subscription',
      customer: customer.id,
      line_items: [{ price: monthly.id, quantity: 1 }],
      success_url: 'https://news.example.com/welcome',
    })
    const { id: configuration } = await first.stripe.billingPortal.configurations.create({ features: {} })
    const portal = await first.stripe.billingPortal.sessions.create({ customer: customer.id, configuration })
    await first.stop()
    const second = await startEmulator({ dataDir })
    const at = (url: string | null) => new URL(new URL(url ?? '').pathname, second.url).href
    const paid = await submitForm(at(checkout.url), { card: '4242424242424242' })
    expect(paid.location).toBe('https://news.example.com/welcome')
    expect((await openPage(at(portal.url))).html).toContain('$9.00 every month')
    await second.stop()
    await rm(dataDir, { recursive: true })
  })
})

describe('the card page', () => {
  test('saves the customer’s default card and keeps a subscription’s own card', async () => {
    const { id, default_payment_method: old } = await site.subscribe()
    const done = await submitForm(`${await site.openPortal()}/card`, { card: '5555 5555 5555 4444' })
    expect((await site.follow(done)).html).toContain('Your card was saved.')
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
  ])('the card %s is declined on the page, and the old card stays', async (card, problem) => {
    const { id, default_payment_method: old } = await site.subscribe()
    const refused = await submitForm(`${await site.openPortal()}/card`, { card })
    expect(refused).toMatchObject({ status: 200, problem })
    expect((await site.stripe.subscriptions.retrieve(id)).default_payment_method).toBe(old)
  })

  test('saves a card after its authentication', async () => {
    const portal = await site.openPortal()
    expect((await submitForm(`${portal}/card`, { card: '4000002500003155' })).html).toContain(
      'Confirm this payment',
    )
    const done = await submitForm(`${portal}/card`, { card: '4000002500003155', answer: 'authenticate' })
    expect((await site.follow(done)).html).toContain('Visa ending in 3155')
  })

  test('a new card pays open invoices and reactivates the subscription', async () => {
    const { id } = await site.subscribe()
    await site.payWith(id, 'pm_card_chargeCustomerFail')
    await site.admin.advanceTime(31 * 86_400)
    expect((await site.stripe.subscriptions.retrieve(id)).status).toBe('past_due')
    const portal = await site.openPortal()
    expect((await openPage(portal)).problem).toContain('Your last payment failed.')
    const shown = await openPage(`${portal}/card`)
    expect(shown.html).toContain('$9.00 is unpaid.')
    const done = await submitForm(`${portal}/card`, { card: '4242424242424242' })
    expect((await site.follow(done)).html).toContain('your open invoices are paid')
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

  test('shows the amount due, and a card pays it', async () => {
    const { id, page } = await failPayment()
    const shown = await openPage(page)
    expect(shown.html).toContain('Unpaid')
    expect(shown.rows.Total).toBe('$9.00')
    expect((await submitForm(page, { card: '4000000000000341' })).problem).toBe('Your card was declined.')
    expect((await submitForm(page, { card: '4000002760003184' })).html).toContain('Confirm this payment')
    const paid = await submitForm(page, { card: '4242424242424242' })
    expect((await site.follow(paid)).html).toContain('<p class="status">Paid</p>')
    expect((await site.stripe.subscriptions.retrieve(id)).status).toBe('active')
  })

  test('charges once when two cards are entered', async () => {
    const { page } = await failPayment()
    await submitForm(page, { card: '4242424242424242' })
    await submitForm(page, { card: '5555555555554444' })
    const { data } = await site.stripe.charges.list({ customer: site.catalog.customer.id })
    expect(data.filter(({ paid }) => paid)).toHaveLength(2)
  })

  test('is also the invoice’s PDF address', async () => {
    const { page } = await failPayment()
    const invoice = await site.stripe.invoices.retrieve(page.split('/').at(-1) ?? '')
    expect((await openPage(invoice.invoice_pdf ?? '')).rows.Total).toBe('$9.00')
  })

  test('is not there for an invoice that does not exist', async () => {
    expect((await openPage(`${site.url}/stripe/invoices/in_none`)).status).toBe(404)
  })
})
