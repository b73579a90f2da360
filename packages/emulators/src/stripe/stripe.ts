import { join } from 'node:path'
import type { FastifyInstance } from 'fastify'
import { addAdminPage } from './admin/admin-page.ts'
import { addAdminRoutes, catchUp } from './admin/admin-routes.ts'
import { addCheckoutPages } from './pages/checkout-routes.ts'
import { addInvoicePages } from './pages/invoice-page.ts'
import { addPortalPages } from './pages/portal-routes.ts'
import type { OnFailure } from './protocol/errors.ts'
import { changeAccountSettings } from './resources/account/account.ts'
import { apiVersion } from './resources/event/event.ts'
import { endpoints, expansions } from './resources/resources.ts'
import { addStripeRoutes } from './server/api-routes.ts'
import { createFaults } from './server/faults.ts'
import { createWebhooks } from './server/webhooks.ts'
import { accountIdOf, builtInKey, createAccounts } from './store/accounts.ts'
import { createStore } from './store/create-store.ts'

export type StripeOptions = {
  now: () => Date
  /** `DATA_DIR`; without it, everything is in memory only. */
  dataDir?: string | undefined
  /** Where events are sent. Without it, none are. */
  webhookUrl?: string | undefined
  webhookSecret?: string | undefined
  /** The origin of the pages for browsers; by default the requested origin. */
  publicUrl?: string | undefined
  /** The delay before each retry of a delivery. The last one repeats. */
  webhookRetryDelaysMs?: readonly number[] | undefined
  /** The action after the last retry of a subscription's payment; `cancel` by default. */
  afterLastRetry?: 'cancel' | 'unpaid' | 'past_due' | undefined
  /** Receives unexpected errors, which callers only see as `api_error`. */
  onFailure?: OnFailure | undefined
}

const localSecret = 'whsec_tidings_local'
const housekeepingMs = 60_000

/** Adds the Stripe emulator: the API under `/v1`, the pages and the admin API under `/stripe`. */
export function addStripe(app: FastifyInstance, options: StripeOptions): void {
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
  if (webhookUrl !== undefined) {
    const endpoint = { url: webhookUrl, enabledEvents: ['*'], apiVersion, status: 'enabled' as const }
    changeAccountSettings(store, { webhookEndpoints: [endpoint] })
  }
  const accounts = createAccounts(store, ({ id, isLive }) =>
    createStore({
      ...shared,
      accountId: id,
      isLive,
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
    endpoints,
    expansions,
    faults,
    onCall(origin) {
      askedAt = origin
    },
    onFailure,
  })
  addAdminRoutes(app, { store, accounts, webhooks, faults, onFailure })
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

  // A response is only sent once its changes are on disk.
  app.addHook('onSend', async () => flush())
  app.addHook('onClose', async () => {
    clearInterval(housekeeping)
    await webhooks.stop()
    flush()
  })
}
