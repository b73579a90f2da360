// What stands where, from the ground up; each imports only what comes before it:
// records/    what is kept of each kind of object
// protocol/   what all calls have in common: errors, parameters, lists
// store/      the records at hand, their ids, time and events, and the file that they are kept in
// rules/      sums and rules over records
// pages/      how every page looks and is served
// wire/       each record as Stripe answers it
// http/       the API under /v1, whatever the object: endpoints, routes, expanding, idempotency, faults
// events/     telling of changes, and the webhooks that carry it
// customers/  catalogue/   who buys, and what is sold
// billing/    subscriptions, invoices, payments, and the time that moves them
// checkout/   portal/   what sends people to the stand-in's pages, and these pages
// admin/   what Stripe has no call for, and the front page; client.ts calls it

import { join } from 'node:path'
import type { FastifyInstance } from 'fastify'
import { addAdminPage } from './admin/admin-page.ts'
import { addAdminRoutes, catchUp } from './admin/admin-routes.ts'
import { addBankRoutes } from './admin/bank-routes.ts'
import { addCheckoutPages } from './pages/checkout-routes.ts'
import { addInvoicePages } from './pages/invoice-routes.ts'
import { addPortalPages } from './pages/portal-routes.ts'
import type { OnFailure } from './protocol/errors.ts'
import { accountEndpoint } from './resources/account-endpoint.ts'
import { billingExpansions } from './resources/billing-expansions.ts'
import { catalogueExpansions } from './resources/catalogue-expansions.ts'
import { checkoutEndpoints } from './resources/checkout-session/checkout-session.endpoints.ts'
import { couponEndpoints } from './resources/coupon/coupon.ts'
import { customerEndpoints } from './resources/customer/customer.endpoints.ts'
import { customerExpansions } from './resources/customer-expansions.ts'
import { eventEndpoints } from './resources/event/event.endpoints.ts'
import { paymentMethodEndpoints } from './resources/payment-method/payment-method.endpoints.ts'
import { portalConfigurationEndpoints, portalSessionEndpoints } from './resources/portal-session/portal-session.endpoints.ts'
import { priceEndpoints } from './resources/price/price.endpoints.ts'
import { productEndpoints } from './resources/product/product.endpoints.ts'
import { promotionCodeEndpoints } from './resources/promotion-code/promotion-code.ts'
import { billingEndpoints } from './resources/resources.ts'
import { addStripeRoutes } from './server/api-routes.ts'
import { joinExpansions } from './server/expand.ts'
import { createFaults } from './server/faults.ts'
import { createWebhooks } from './server/webhooks.ts'
import { accountIdOf, builtInKey, createAccounts } from './store/accounts.ts'
import { createStore } from './store/create-store.ts'

export type StripeOptions = {
  now: () => Date
  /** `DATA_DIR`; without it everything is in memory only. */
  dataDir?: string | undefined
  /** Where events go, and what signs them. Nothing is sent of its own accord without an address. */
  webhookUrl?: string | undefined
  webhookSecret?: string | undefined
  /** Where browsers reach the stand-in's pages; the address at which the API is asked, when left out. */
  publicUrl?: string | undefined
  /** The pauses before each further try of a delivery; the last one holds from then on. */
  webhookRetryDelaysMs?: readonly number[] | undefined
  /** What becomes of a subscription whose payment failed at every retry; `cancel` when left out. */
  afterLastRetry?: 'cancel' | 'unpaid' | 'past_due' | undefined
  /** Is told of every failure of the stand-in itself, which its callers only see as an `api_error`. */
  onFailure?: OnFailure | undefined
}

export type StripeEmulator = {
  /** What signs the events that go to `webhookUrl`. */
  webhookSecret: string
  /** Stops sending and writes to disk what is not there yet. */
  stop(): Promise<void>
}

/** What signs events when no secret is given. */
const localSecret = 'whsec_tidings_local'
const housekeepingMs = 60_000

/**
 * The stand-in for Stripe: the API under `/v1`, its pages and admin under `/stripe`. It stops with the app, once it
 * has closed.
 */
export function addStripe(app: FastifyInstance, options: StripeOptions): StripeEmulator {
  const { now, dataDir, webhookUrl, webhookSecret = localSecret, publicUrl, webhookRetryDelaysMs } = options
  const onFailure = options.onFailure ?? (() => undefined)
  let askedAt = ''
  const shared = {
    now,
    pageOrigin: () => publicUrl?.replace(/\/$/, '') ?? askedAt,
    afterLastRetry: options.afterLastRetry ?? 'cancel',
  }
  const directory = dataDir && join(dataDir, 'stripe')
  const store = createStore({ ...shared, directory, accountId: accountIdOf(builtInKey) })
  const accounts = createAccounts(store, ({ id, isLive }) =>
    createStore({
      ...{ ...shared, accountId: id, isLive },
      directory: directory && join(directory, `${id}-${isLive ? 'live' : 'test'}`),
    }),
  )
  const faults = createFaults()
  const webhooks = createWebhooks({
    store,
    target: webhookUrl === undefined ? undefined : { url: webhookUrl, secret: webhookSecret },
    ...(webhookRetryDelaysMs ? { retryDelaysMs: webhookRetryDelaysMs } : {}),
  })

  addStripeRoutes(app, accounts, {
    endpoints: [
      accountEndpoint,
      ...customerEndpoints,
      ...productEndpoints,
      ...priceEndpoints,
      ...couponEndpoints,
      ...promotionCodeEndpoints,
      ...paymentMethodEndpoints,
      ...eventEndpoints,
      ...billingEndpoints,
      ...checkoutEndpoints,
      ...portalConfigurationEndpoints,
      ...portalSessionEndpoints,
    ],
    expansions: joinExpansions(customerExpansions, catalogueExpansions, billingExpansions),
    faults,
    onCall(origin) {
      askedAt = origin
    },
    onFailure,
  })
  addAdminRoutes(app, { store, accounts, webhooks, faults, onFailure })
  addBankRoutes(app, { store, onFailure })
  addAdminPage(app, { store, webhooks, webhookUrl })
  addCheckoutPages(app, { store, onFailure })
  addPortalPages(app, { store, onFailure })
  addInvoicePages(app, { store, onFailure })

  const housekeeping = setInterval(() => {
    try {
      for (const one of accounts.list()) catchUp(one)
    } catch (error) {
      onFailure(error)
    }
  }, housekeepingMs)
  housekeeping.unref()

  function flush() {
    for (const one of accounts.list()) one.flush()
  }

  async function stop() {
    clearInterval(housekeeping)
    await webhooks.stop()
    flush()
  }
  // Whoever has an answer can rely on it, whatever becomes of this process.
  app.addHook('onSend', async () => flush())
  app.addHook('onClose', stop)
  return { webhookSecret, stop }
}
