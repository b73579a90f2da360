import type Stripe from 'stripe'
import type { Clock } from '#platform/clock.ts'
import type { Logger } from '#platform/logger.ts'
import type { LoadedGateway } from '../lazy-payment-gateway.ts'
import type { PaymentAccount } from '../payment-gateway.ts'
import { stripeAccount } from './account.ts'
import { stripeCatalog } from './catalog.ts'
import { createStripeClient, isTestKey, type StripeSettings, type Tax } from './client/client.ts'
import { forCustomer, translateErrors } from './client/errors.ts'
import { stripeCards } from './customers/cards.ts'
import { stripeCustomerRetirement } from './customers/customer-retirement.ts'
import { stripeCustomers } from './customers/customers.ts'
import { stripePortal } from './customers/portal.ts'
import { stripeDisputes } from './disputes.ts'
import { readStripeEvent } from './events.ts'
import { stripeRefunds } from './refunds.ts'
import { stripeCancellations } from './subscriptions/cancellations.ts'
import { stripeCheckout } from './subscriptions/checkout.ts'
import { stripePlanChanges } from './subscriptions/plan-changes.ts'
import { stripePeriodCharges } from './subscriptions/renewals.ts'
import { stripeSubscriptions } from './subscriptions/subscriptions.ts'

type Options = StripeSettings & {
  /** Those of all endpoints. */
  webhookSecrets: readonly string[]
  tax?: Tax
  clock: Clock
  logger: Logger
  /** Returns the account that the database belongs to; null allows any. */
  findStored: () => Promise<PaymentAccount | null>
}

/** Adapts Stripe's SDK. Every call first checks that the key's account is the database's. */
export function createStripePaymentGateway(options: Options): LoadedGateway {
  const { webhookSecrets, clock, logger, findStored, tax = null, ...settings } = options
  const isTestMode = isTestKey(settings.secretKey)
  const stripe = createStripeClient(settings)
  logRefusedKeys(stripe, logger)
  const { findAccount, checkAccount } = stripeAccount(stripe, { isLive: !isTestMode, findStored, logger })
  const checkout = stripeCheckout(stripe, tax)
  const portal = stripePortal(stripe, tax)

  return {
    checked: (call) =>
      translateErrors(async () => {
        await checkAccount()
        return await call()
      }),
    calls: {
      ...stripeCustomers(stripe),
      ...stripeCustomerRetirement(stripe),
      ...stripeSubscriptions(stripe, { isTestMode }),
      ...stripeCards(stripe),
      ...stripeCancellations(stripe),
      ...stripeRefunds(stripe),
      ...stripeDisputes(stripe),
      ...stripePlanChanges(stripe),
      ...stripePeriodCharges(stripe),
      ...stripeCatalog(stripe, tax),
      ...portal,
      startCheckout: (order) => forCustomer(stripe, order.customerId, () => checkout.startCheckout(order)),
      openPortal: (visit) => forCustomer(stripe, visit.customerId, () => portal.openPortal(visit)),
      findAccount: () => translateErrors(findAccount),
      readEvent: async (body, signature) => readStripeEvent({ webhookSecrets, clock }, body, signature),
    },
  }
}

/** Logs each call whose secret key Stripe refused, because the operator must act. */
function logRefusedKeys(stripe: Stripe, logger: Logger): void {
  stripe.on('response', ({ status, path, request_id: requestId }: Stripe.ResponseEvent) => {
    // A restricted key needs no permission for test clocks or the account.
    const isNeeded = !path.startsWith('/v1/test_helpers/') && path !== '/v1/account'
    if (status !== 401 && (status !== 403 || !isNeeded)) return
    logger.error({ status, requestId }, 'stripe secret key refused')
  })
}
