import type Stripe from 'stripe'
import { type StripeAdmin, stripeAdmin } from '../admin/client.ts'
import { type Catalog, createCatalog } from './billing.ts'
import { openPage, type Page } from './browse.ts'
import { startEmulator } from './start-emulator.ts'

type CheckoutParams = Stripe.Checkout.SessionCreateParams

type ConfigurationParams = Stripe.BillingPortal.ConfigurationCreateParams

type PortalParams = Stripe.BillingPortal.SessionCreateParams

/** An emulator with a catalog, and what a site does to send its customer to checkout and to the portal. */
export type CheckoutSite = {
  stripe: Stripe
  url: string
  admin: StripeAdmin
  catalog: Catalog
  createSession(params?: CheckoutParams): Promise<Stripe.Checkout.Session>
  /** Creates a checkout session and returns its page's address. */
  openSession(params?: CheckoutParams): Promise<{ id: string; page: string }>
  /** Creates a configuration with all features. */
  createConfiguration(params?: Partial<ConfigurationParams>): Promise<Stripe.BillingPortal.Configuration>
  /** Creates a portal session and returns its page's address. */
  openPortal(params?: Partial<PortalParams>): Promise<string>
  subscribe(options?: { price?: string }): Promise<Stripe.Subscription>
  /** Changes the card of a subscription. */
  payWith(subscriptionId: string, card: string): Promise<void>
  /** Opens the page of a redirect. */
  follow(page: Page): Promise<Page>
  /** Returns the types of all events, oldest first. */
  eventTypes(): Promise<string[]>
  stop(): Promise<void>
}

export async function openCheckout(): Promise<CheckoutSite> {
  const { stripe, url, stop } = await startEmulator()
  const catalog = await createCatalog(stripe)

  async function createConfiguration(params: Partial<ConfigurationParams> = {}) {
    return stripe.billingPortal.configurations.create({
      features: {
        invoice_history: { enabled: true },
        payment_method_update: { enabled: true },
        subscription_cancel: { enabled: true, mode: 'at_period_end' },
      },
      ...params,
    })
  }

  async function createSession(params: CheckoutParams = {}) {
    return stripe.checkout.sessions.create({
      mode: 'subscription',
      line_items: [{ price: catalog.monthly.id, quantity: 1 }],
      success_url: 'https://news.example.com/welcome?session={CHECKOUT_SESSION_ID}',
      cancel_url: 'https://news.example.com/plans',
      customer: catalog.customer.id,
      ...params,
    })
  }

  return {
    stripe,
    url,
    admin: stripeAdmin(url),
    catalog,
    createSession,
    async openSession(params) {
      const session = await createSession(params)
      return { id: session.id, page: session.url ?? '' }
    },
    createConfiguration,
    async openPortal(params = {}) {
      const session = await stripe.billingPortal.sessions.create({
        customer: catalog.customer.id,
        return_url: 'https://news.example.com/account',
        ...params,
        configuration: params.configuration ?? (await createConfiguration()).id,
      })
      return session.url
    },
    async subscribe({ price = catalog.monthly.id } = {}) {
      const method = await stripe.paymentMethods.attach('pm_card_visa', { customer: catalog.customer.id })
      return stripe.subscriptions.create({
        customer: catalog.customer.id,
        items: [{ price }],
        default_payment_method: method.id,
      })
    },
    async payWith(subscriptionId, card) {
      const method = await stripe.paymentMethods.attach(card, { customer: catalog.customer.id })
      await stripe.subscriptions.update(subscriptionId, { default_payment_method: method.id })
    },
    follow: ({ location }) => openPage(new URL(location ?? '', url).href),
    async eventTypes() {
      const { data } = await stripe.events.list({ limit: 100 })
      return data.map(({ type }) => type).reverse()
    },
    stop,
  }
}
