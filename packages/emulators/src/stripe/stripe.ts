import { join } from 'node:path'
import type { FastifyInstance } from 'fastify'
import { addAdminPage } from './admin/admin-page.ts'
import { addAdminRoutes, addBankRoutes, catchUp } from './admin/admin-routes.ts'
import { addCheckoutPages } from './pages/checkout-routes.ts'
import { addInvoicePages } from './pages/invoice-page.ts'
import { addPortalPages } from './pages/portal-routes.ts'
import type { OnFailure } from './protocol/errors.ts'
import { checkoutEndpoints } from './resources/checkout-session/checkout-session.endpoints.ts'
import { couponEndpoints } from './resources/coupon/coupon.ts'
import { customerEndpoints } from './resources/customer/customer.endpoints.ts'
import { joinExpansions } from './resources/endpoint.ts'
import { eventEndpoints } from './resources/event/event.ts'
import { paymentMethodEndpoints } from './resources/payment-method/payment-method.ts'
import { portalConfigurationEndpoints } from './resources/portal-session/portal-configuration.ts'
import { portalSessionEndpoints } from './resources/portal-session/portal-session.ts'
import { priceEndpoints } from './resources/price/price.ts'
import { productEndpoints } from './resources/product/product.ts'
import { promotionCodeEndpoints } from './resources/promotion-code/promotion-code.ts'
import {
  accountEndpoint,
  billingEndpoints,
  billingExpansions,
  catalogueExpansions,
  customerExpansions,
} from './resources/resources.ts'
import { addStripeRoutes } from './server/api-routes.ts'
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
