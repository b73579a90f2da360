import Stripe from 'stripe'
import type { Logger } from '#platform/logger.ts'
import type {
  AccountInspection,
  InspectAccount,
  InspectedPortal,
  InspectedPrice,
  UnpaidInvoice,
  WebhookEndpoint,
} from '../account-inspection.ts'
import { stripeAccount } from './account.ts'
import {
  createStripeClient,
  idOf,
  instantOf,
  isTestKey,
  listAll,
  pageSize,
  type StripeSettings,
} from './client/client.ts'
import { isForbidden, isRefusal, orMissing, translateErrors } from './client/errors.ts'

/** Reads what `tidings payments check` compares. Only reads, but for calls that Stripe refuses. */
export function createStripeInspection({
  logger,
  ...settings
}: StripeSettings & { logger: Logger }): InspectAccount {
  const stripe = createStripeClient(settings)
  const isRestrictedKey = settings.secretKey.startsWith('rk_')
  const isLive = !isTestKey(settings.secretKey)
  const { findAccount } = stripeAccount(stripe, { isLive, findStored: async () => null, logger })

  async function readSettings(): Promise<AccountInspection['settings']> {
    const account = await orNull(() => stripe.accounts.retrieveCurrent())
    if (account === null) return null
    const saved = account.settings?.invoices?.hosted_payment_method_save
    const keepsInvoiceCard = saveModes.find((mode) => mode === saved) ?? null
    return { canCharge: account.charges_enabled, keepsInvoiceCard }
  }

  async function readPrices(productIds: readonly string[]): Promise<InspectedPrice[]> {
    const prices: InspectedPrice[] = []
    for (const id of productIds) {
      const product = await orMissing(stripe.products.retrieve(id))
      if (product === null) continue
      const all = await listAll(stripe.prices.list({ product: id, limit: pageSize }))
      prices.push(
        ...all.map(({ id, active, unit_amount: amount, currency }) => {
          return { id, amount: amount ?? 0, currency, isActive: active, isProductActive: product.active }
        }),
      )
    }
    return prices
  }

  async function readPortals(ids: readonly string[]): Promise<InspectedPortal[]> {
    const portals: InspectedPortal[] = []
    for (const id of ids) {
      const found = await orMissing(stripe.billingPortal.configurations.retrieve(id))
      if (found !== null) portals.push(toPortal(found))
    }
    return portals
  }

  async function readTax(): Promise<AccountInspection['tax']> {
    const settings = await orNull(() => stripe.tax.settings.retrieve())
    const registrations = await orNull(() =>
      listAll(stripe.tax.registrations.list({ status: 'active', limit: pageSize })),
    )
    if (settings === null || registrations === null) return null
    const missing = settings.status_details.pending?.missing_fields ?? []
    return { isReady: settings.status === 'active', missing, registrations: registrations.length }
  }

  async function listUnpaid(
    status: 'draft' | 'open',
    productIds: ReadonlySet<string>,
  ): Promise<UnpaidInvoice[]> {
    const expand = ['data.parent.subscription_details.subscription']
    const invoices = await listAll(stripe.invoices.list({ status, limit: pageSize, expand }))
    return invoices.flatMap((invoice) => toUnpaid(invoice, status, productIds))
  }

  const inspect: InspectAccount = async ({ productIds, portalIds }) => ({
    account: await findAccount(),
    isRestrictedKey,
    missingPermissions: isRestrictedKey ? await missingPermissions(stripe) : [],
    settings: await readSettings(),
    prices: await readPrices(productIds),
    portals: await readPortals(portalIds),
    endpoints: await orNull(async () =>
      (await listAll(stripe.webhookEndpoints.list({ limit: pageSize }))).map(toEndpoint),
    ),
    apiVersion: Stripe.API_VERSION,
    tax: await readTax(),
    testClocks: await orNull(
      async () => (await listAll(stripe.testHelpers.testClocks.list({ limit: pageSize }))).length,
    ),
    unpaid: [
      ...(await listUnpaid('draft', new Set(productIds))),
      ...(await listUnpaid('open', new Set(productIds))),
    ],
  })
  return (known) => translateErrors(() => inspect(known))
}

const saveModes = ['always', 'offer', 'never'] as const

/** Stripe refuses also what a country does not have, such as tax. */
async function orNull<T>(read: () => Promise<T>): Promise<T | null> {
  try {
    return await read()
  } catch (error) {
    if (isForbidden(error) || isRefusal(error)) return null
    throw error
  }
}

function toPortal({ id, active, features }: Stripe.BillingPortal.Configuration): InspectedPortal {
  return {
    id,
    isActive: active,
    changesCard: features.payment_method_update.enabled,
    cancels: features.subscription_cancel.enabled,
    showsInvoices: features.invoice_history.enabled,
  }
}

function toEndpoint(endpoint: Stripe.WebhookEndpoint): WebhookEndpoint {
  const { id, url, status, enabled_events: events, api_version: apiVersion } = endpoint
  return { id, url, isEnabled: status === 'enabled', events, apiVersion }
}

/** Returns nothing for an invoice that isn't of a subscription to one of the products. */
function toUnpaid(
  invoice: Stripe.Invoice,
  status: UnpaidInvoice['status'],
  productIds: ReadonlySet<string>,
): UnpaidInvoice[] {
  const subscription = invoice.parent?.subscription_details?.subscription
  if (typeof subscription !== 'object' || subscription === null) return []
  if (!subscription.items.data.some(({ price }) => productIds.has(idOf(price.product)))) return []
  const { next_payment_attempt: nextAttempt, last_finalization_error: failure } = invoice
  return [
    {
      id: invoice.id,
      status,
      createdAt: instantOf(invoice.created),
      attempts: invoice.attempt_count,
      nextAttemptAt: nextAttempt === null ? null : instantOf(nextAttempt),
      subscriptionId: subscription.id,
      subscriptionEndedAt: subscription.ended_at === null ? null : instantOf(subscription.ended_at),
      finalizationError: failure === null || failure === undefined ? null : (failure.code ?? 'unknown'),
    },
  ]
}

/** No object has this id, so a call that names it is refused and changes nothing. */
const nothing = 'tidings_permission_check'
const onlyOne = { limit: 1 }

const permissionCalls: [name: string, call: (stripe: Stripe) => Promise<unknown>][] = [
  ['products (write)', (stripe) => stripe.products.update(nothing, {})],
  ['prices (write)', (stripe) => stripe.prices.update(nothing, {})],
  ['customers (write)', (stripe) => stripe.customers.update(nothing, {})],
  ['checkout sessions (write)', (stripe) => stripe.checkout.sessions.expire(nothing)],
  ['customer portal (write)', (stripe) => stripe.billingPortal.configurations.update(nothing, {})],
  ['subscriptions (write)', (stripe) => stripe.subscriptions.update(nothing, {})],
  ['subscription schedules (write)', (stripe) => stripe.subscriptionSchedules.release(nothing)],
  ['invoices (write)', (stripe) => stripe.invoices.voidInvoice(nothing)],
  ['refunds (write)', (stripe) => stripe.refunds.update(nothing, {})],
  ['charges (read)', (stripe) => stripe.charges.retrieve(nothing)],
  ['disputes (read)', (stripe) => stripe.disputes.list(onlyOne)],
  ['invoice payments (read)', (stripe) => stripe.invoicePayments.retrieve(nothing)],
  ['coupons (read)', (stripe) => stripe.coupons.retrieve(nothing)],
  ['promotion codes (read)', (stripe) => stripe.promotionCodes.list(onlyOne)],
]

/**
 * Returns the permissions that a restricted key lacks. Stripe checks the permission before the object, so each write is
 * tried at an object that doesn't exist.
 */
async function missingPermissions(stripe: Stripe): Promise<string[]> {
  const missing: string[] = []
  for (const [name, call] of permissionCalls) {
    try {
      await call(stripe)
    } catch (error) {
      if (isForbidden(error)) missing.push(name)
      else if (!isRefusal(error)) throw error
    }
  }
  return missing
}
