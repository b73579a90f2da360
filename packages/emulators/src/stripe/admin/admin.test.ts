import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { createPrices, giveCard } from '../testing/billing.ts'
import { openPage } from '../testing/browse.ts'
import { type CheckoutSite, openCheckout } from '../testing/open-checkout.ts'
import { type Emulator, startEmulator, testNow } from '../testing/start-emulator.ts'
import { startWebhookReceiver } from '../testing/webhook-receiver.ts'
import { stripeAdmin } from './client.ts'

describe('the admin page', () => {
  const day = 86_400
  const secret = 'whsec_of_the_tests'
  let site: CheckoutSite

  beforeEach(async () => {
    site = await openCheckout()
  })
  afterEach(() => site.stop())

  async function front(url = site.url): Promise<string> {
    const { status, html } = await openPage(`${url}/stripe`)
    expect(status).toBe(200)
    return html
  }

  /** Returns the text of the page about a customer. */
  function partOf(html: string, name: string) {
    const article = html.split('<article').find((part) => part.includes(`>${name}</h3>`)) ?? ''
    const [own = ''] = article.split('</article>')
    return own.replaceAll(/<[^>]*>/g, ' ').replaceAll(/\s+/g, ' ')
  }

  describe('the overview', () => {
    test('shows the test cards before any event', async () => {
      const empty = await startEmulator()
      const { html, rows } = await openPage(`${empty.url}/stripe`)
      expect(html).toContain('<h1>Stripe emulator</h1>')
      expect(rows).toMatchObject({ '4242 4242 4242 4242': 'Pays', '4000 0000 0000 0002': 'Is declined' })
      expect(html).toContain('No customers yet.')
      expect(html).toContain('No events yet.')
      await empty.stop()
    })

    test('shows each customer’s subscription and its next step', async () => {
      const { id } = await site.subscribe()
      expect(partOf(await front(), 'ada@example.com')).toContain(
        'Tidings, $9.00 every month: active, renews on 20 December 2026',
      )
      await site.stripe.subscriptions.update(id, { cancel_at_period_end: true })
      expect(partOf(await front(), 'ada@example.com')).toContain('active, ends on 20 December 2026')
      await site.stripe.subscriptions.cancel(id)
      expect(partOf(await front(), 'ada@example.com')).toContain('canceled since 20 November 2026')
    })

    test('links to open pages only', async () => {
      const { page: checkout } = await site.openSession()
      const portal = await site.openPortal()
      const paths = [checkout, portal].map((page) => `href="${new URL(page).pathname}"`)
      const html = await front()
      for (const path of paths) expect(html).toContain(path)
      await site.admin.advanceTime(2 * day)
      const later = await front()
      for (const path of paths) expect(later).not.toContain(path)
    })

    test('links to unpaid invoices', async () => {
      const { id } = await site.subscribe()
      await site.payWith(id, 'pm_card_chargeCustomerFail')
      await site.admin.advanceTime(32 * day)
      const [owed] = (await site.stripe.invoices.list({ subscription: id, status: 'open' })).data
      const html = await front()
      expect(html).toContain(`<a href="/stripe/invoices/${owed?.id}">Pay $9.00</a>`)
      expect(partOf(html, 'ada@example.com')).toContain('past due')
    })

    test('escapes customer names', async () => {
      await site.stripe.customers.create({ name: '<script>alert(1)</script>' })
      const html = await front()
      expect(html).not.toContain('<script>')
      expect(html).toContain('&lt;script&gt;alert(1)&lt;/script&gt;')
    })

    test('shows how to move time and how far it was moved', async () => {
      expect(await front()).toContain(
        `curl --json '{&quot;advanceSeconds&quot;:2764800}' ${site.url}/stripe/time`.replaceAll("'", '&#39;'),
      )
      expect(await front()).toContain('It is 20 Nov 2026, 18:00 UTC.')
      await site.admin.advanceTime(3 * day)
      expect(await front()).toContain('It is 23 Nov 2026, 18:00 UTC, 3 days ahead.')
    })

    test('shows the newest 25 customers', async () => {
      for (let number = 1; number <= 26; number += 1)
        await site.stripe.customers.create({ name: `No. ${number}` })
      const html = await front()
      expect(html).toContain('The newest 25 of 27.')
      expect(html).toContain('>No. 26</h3>')
      expect(html).not.toContain('>No. 1</h3>')
    })
  })

  describe('the latest events', () => {
    /** Returns the text of the page about the newest event of a type. */
    async function stateOf(url: string, type: string) {
      const line = (await front(url)).split('<li>').find((one) => one.includes(`>${type}</span>`)) ?? ''
      return line.replaceAll(/<[^>]*>/g, '')
    }

    test('are pending while they are held, then delivered', async () => {
      const receiver = await startWebhookReceiver({ secret, now: testNow })
      const site = await startEmulator({ webhookUrl: receiver.url, webhookSecret: secret })
      const admin = stripeAdmin(site.url)
      await admin.setWebhooks({ mode: 'hold' })
      await site.stripe.customers.create({ name: 'Ann' })
      expect(await stateOf(site.url, 'customer.created')).toContain('pending')
      expect(await front(site.url)).toContain('Delivery is on hold; 1 pending')
      await admin.setWebhooks({ mode: 'on' })
      await expect.poll(() => stateOf(site.url, 'customer.created')).toContain('delivered')
      await Promise.all([site.stop(), receiver.stop()])
    })

    test('show why a delivery failed', async () => {
      const receiver = await startWebhookReceiver({ secret, now: testNow })
      receiver.refuse(1, 503)
      const site = await startEmulator({ webhookUrl: receiver.url, webhookSecret: secret })
      await site.stripe.customers.create({ name: 'Ann' })
      await expect.poll(() => stateOf(site.url, 'customer.created')).toContain('failed once (status 503)')
      await Promise.all([site.stop(), receiver.stop()])
    })

    test('show failed deliveries, and undelivered events without a webhook address', async () => {
      await site.stripe.customers.create({ name: 'Ann' })
      expect(await stateOf(site.url, 'customer.created')).toContain('not delivered')
      const closed = await startEmulator({ webhookUrl: 'http://127.0.0.1:1/', webhookSecret: secret })
      await closed.stripe.customers.create({ name: 'Ann' })
      await expect
        .poll(() => stateOf(closed.url, 'customer.created'))
        .toContain('failed once (bad port), next attempt at')
      await closed.stop()
    })
  })
})

describe('the admin routes', () => {
  const day = 86_400
  const secret = 'whsec_of_the_tests'
  let dataDir: string
  let receiver: Awaited<ReturnType<typeof startWebhookReceiver>>
  let emulator: Emulator

  function start() {
    return startEmulator({ dataDir, webhookUrl: receiver.url, webhookSecret: secret })
  }

  beforeEach(async () => {
    dataDir = await mkdtemp(join(tmpdir(), 'stripe-'))
    receiver = await startWebhookReceiver({ secret, now: testNow })
    emulator = await start()
  })
  afterEach(async () => {
    await Promise.all([emulator.stop(), receiver.stop()])
    await rm(dataDir, { recursive: true })
  })

  async function subscribe(card = 'pm_card_visa') {
    const { stripe } = emulator
    const { monthly } = await createPrices(stripe)
    const { id: customer } = await stripe.customers.create()
    await giveCard(stripe, customer, card)
    return stripe.subscriptions.create({ customer, items: [{ price: monthly.id }] })
  }

  describe('moving time', () => {
    test('runs what is due, signs its events and survives a restart', async () => {
      const { id } = await subscribe()
      await stripeAdmin(emulator.url).advanceTime(32 * day)
      const renewed = await receiver.waitFor(
        ({ type, data }) =>
          type === 'invoice.paid' &&
          'billing_reason' in data.object &&
          data.object.billing_reason === 'subscription_cycle',
      )
      expect(renewed.created).toBeGreaterThan(testNow().getTime() / 1000 + 27 * day)
      await emulator.stop()
      emulator = await start()
      expect((await emulator.stripe.invoices.list({ subscription: id })).data).toHaveLength(2)
      const later = await emulator.stripe.customers.create({ name: 'Later' })
      expect(later.created).toBe(testNow().getTime() / 1000 + 32 * day)
    })
  })

  describe('a completed call', () => {
    test('is on disk before its response is sent', async () => {
      const { id } = await emulator.stripe.customers.create({ name: 'Kept' })
      const next = await start()
      try {
        expect(await next.stripe.customers.retrieve(id)).toMatchObject({ name: 'Kept' })
      } finally {
        await next.stop()
      }
    })
  })

  describe('a rejected call', () => {
    test('stores nothing and emits no event', async () => {
      const { stripe } = emulator
      const { id: product } = await stripe.products.create({ name: 'First' })
      const common = { product, currency: 'usd', unit_amount: 1, lookup_key: 'mine' } as const
      await stripe.prices.create(common)
      await expect(stripe.prices.create(common)).rejects.toMatchObject({ param: 'lookup_key' })
      expect((await stripe.prices.list({ product })).data).toHaveLength(1)
      await stripe.products.create({ name: 'Last' })
      await receiver.waitFor(({ data }) => 'name' in data.object && data.object.name === 'Last')
      expect(receiver.events.map(({ type }) => type)).toEqual([
        'product.created',
        'price.created',
        'product.created',
      ])
    })

    test('stores the failed payment of a declined card', async () => {
      const { stripe } = emulator
      const { id, customer } = await subscribe('pm_card_chargeCustomerFail')
      const [invoice] = (await stripe.invoices.list({ subscription: id })).data
      const paying = stripe.invoices.pay(invoice?.id ?? '')
      await expect(paying).rejects.toMatchObject({
        statusCode: 402,
        type: 'StripeCardError',
        code: 'card_declined',
      })
      const charges = await stripe.charges.list({ customer: String(customer) })
      expect(charges.data.map(({ status }) => status)).toEqual(['failed', 'failed'])
      await receiver.waitUntil((events) => events.filter(({ type }) => type === 'charge.failed').length === 2)
    })
  })
})
