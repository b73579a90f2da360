import { join } from 'node:path'
import type { FastifyInstance } from 'fastify'
import { billingEndpoints } from './billing/endpoints.ts'
import { billingExpansions } from './billing/expansions.ts'
import { addBillingControls } from './billing/refunds/controls.ts'
import { couponEndpoints } from './catalogue/coupon-endpoints.ts'
import { customerEndpoints } from './catalogue/customer-endpoints.ts'
import { catalogueExpansions } from './catalogue/expansions.ts'
import { paymentMethodEndpoints } from './catalogue/payment-method-endpoints.ts'
import { priceEndpoints } from './catalogue/price-endpoints.ts'
import { productEndpoints } from './catalogue/product-endpoints.ts'
import { promotionCodeEndpoints } from './catalogue/promotion-code-endpoints.ts'
import { checkoutEndpoints } from './checkout/checkout-endpoints.ts'
import { addCheckoutPages } from './checkout/checkout-routes.ts'
import { checkoutExpansions } from './checkout/expansions.ts'
import { clockEndpoints } from './clocks.ts'
import { addControls, catchUp } from './controls.ts'
import { createWorld } from './create-world.ts'
import type { OnFailure } from './errors.ts'
import { joinExpansions } from './expand.ts'
import { createFaults } from './faults.ts'
import { addFrontPage } from './front-page.ts'
import { addStripeRoutes } from './http.ts'
import { portalExpansions } from './portal/expansions.ts'
import { addInvoicePages } from './portal/invoice-routes.ts'
import { portalEndpoints } from './portal/portal-endpoints.ts'
import { addPortalPages } from './portal/portal-routes.ts'
import { webhookEndpointsAndEvents } from './webhook-endpoints.ts'
import { createWebhooks } from './webhooks.ts'

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

export type StripeStandIn = {
  /** What signs the events that go to `webhookUrl`. */
  webhookSecret: string
  /** Stops sending and writes to disk what is not there yet. */
  stop(): Promise<void>
}

/** The secret of the built-in endpoint when none is given. */
const localSecret = 'whsec_tidings_local'
const builtInId = 'we_built_in'
const housekeepingMs = 60_000

/**
 * The stand-in for Stripe: the API under `/v1`, its pages and controls under `/stripe`. It stops with the app, once it
 * has closed.
 */
export function addStripe(app: FastifyInstance, options: StripeOptions): StripeStandIn {
  const { now, dataDir, webhookUrl, webhookSecret = localSecret, publicUrl, webhookRetryDelaysMs } = options
  const onFailure = options.onFailure ?? (() => undefined)
  let askedAt = ''
  const world = createWorld({
    now,
    pageOrigin: () => publicUrl?.replace(/\/$/, '') ?? askedAt,
    directory: dataDir && join(dataDir, 'stripe'),
    afterLastRetry: options.afterLastRetry ?? 'cancel',
  })
  const faults = createFaults()
  world.of('webhookEndpoint').remove(builtInId)
  if (webhookUrl !== undefined) {
    world.of('webhookEndpoint').put({
      id: builtInId,
      created: world.now(),
      metadata: {},
      url: webhookUrl,
      secret: webhookSecret,
      enabledEvents: ['*'],
      status: 'enabled',
      description: 'The site that the stand-in was started with.',
    })
  }
  const webhooks = createWebhooks({
    world,
    ...(webhookRetryDelaysMs ? { retryDelaysMs: webhookRetryDelaysMs } : {}),
  })

  addStripeRoutes(app, world, {
    endpoints: [
      ...customerEndpoints,
      ...productEndpoints,
      ...priceEndpoints,
      ...couponEndpoints,
      ...promotionCodeEndpoints,
      ...paymentMethodEndpoints,
      ...clockEndpoints,
      ...webhookEndpointsAndEvents,
      ...billingEndpoints,
      ...checkoutEndpoints,
      ...portalEndpoints,
    ],
    expansions: joinExpansions(catalogueExpansions, billingExpansions, checkoutExpansions, portalExpansions),
    faults,
    onCall(origin) {
      askedAt = origin
    },
    onFailure,
  })
  addControls(app, { world, webhooks, faults, onFailure })
  addBillingControls(app, { world, onFailure })
  addFrontPage(app, { world, webhooks })
  addCheckoutPages(app, { world, onFailure })
  addPortalPages(app, { world, onFailure })
  addInvoicePages(app, { world, onFailure })

  const housekeeping = setInterval(() => {
    try {
      catchUp(world)
    } catch (error) {
      onFailure(error)
    }
  }, housekeepingMs)
  housekeeping.unref()

  async function stop() {
    clearInterval(housekeeping)
    await webhooks.stop()
    world.flush()
  }
  // Whoever has an answer can rely on it, whatever becomes of this process.
  app.addHook('onSend', async () => world.flush())
  app.addHook('onClose', stop)
  return { webhookSecret, stop }
}
