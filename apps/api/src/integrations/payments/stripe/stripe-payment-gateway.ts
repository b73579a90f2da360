import type Stripe from 'stripe'
import type { Clock } from '#platform/clock.ts'
import type { Logger } from '#platform/logger.ts'
import type { PaymentAccount, PaymentGateway } from '../payment-gateway.ts'
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
export function createStripePaymentGateway(options: Options): PaymentGateway {
  const { webhookSecrets, clock, logger, findStored, tax = null, ...settings } = options
  const isTestMode = isTestKey(settings.secretKey)
  const stripe = createStripeClient(settings)
  logRefusedKeys(stripe, logger)
  const { findAccount, checkAccount } = stripeAccount(stripe, { isLive: !isTestMode, findStored, logger })
  const customers = stripeCustomers(stripe)
  const retirement = stripeCustomerRetirement(stripe)
  const checkout = stripeCheckout(stripe, tax)
  const subscriptions = stripeSubscriptions(stripe, { isTestMode })
  const cards = stripeCards(stripe)
  const cancellations = stripeCancellations(stripe)
  const refunds = stripeRefunds(stripe)
  const disputes = stripeDisputes(stripe)
  const changes = stripePlanChanges(stripe)
  const periodCharges = stripePeriodCharges(stripe)
  const catalog = stripeCatalog(stripe, tax)
  const portal = stripePortal(stripe, tax)

  function checked<Arguments extends unknown[], Result>(call: (...given: Arguments) => Promise<Result>) {
    return (...given: Arguments): Promise<Result> =>
      translateErrors(async () => {
        await checkAccount()
        return await call(...given)
      })
  }

  function checkedPages<Arguments extends unknown[], Page>(
    list: (...given: Arguments) => AsyncIterable<Page>,
  ) {
    return async function* (...given: Arguments) {
      await translateErrors(checkAccount)
      yield* list(...given)
    }
  }

  return {
    isSetUp: true,
    findAccount: () => translateErrors(findAccount),
    createCustomer: checked(customers.createCustomer),
    findOwner: checked(customers.findOwner),
    retireCustomer: checked(retirement.retireCustomer),
    updateEmail: checked(customers.updateEmail),
    startCheckout: checked((order) =>
      forCustomer(stripe, order.customerId, () => checkout.startCheckout(order)),
    ),
    openPortal: checked((visit) => forCustomer(stripe, visit.customerId, () => portal.openPortal(visit))),
    listSubscriptions: checked(subscriptions.listSubscriptions),
    listAllSubscriptions: checkedPages(subscriptions.listAllSubscriptions),
    useDefaultCard: checked(cards.useDefaultCard),
    cancelSubscription: checked(cancellations.cancelSubscription),
    cancelAll: checked(cancellations.cancelAll),
    settleEnded: checked(cancellations.settleEnded),
    listPayments: checked(refunds.listPayments),
    refund: checked(refunds.refund),
    findRefund: checked(refunds.findRefund),
    listFailedRefunds: checkedPages(refunds.listFailedRefunds),
    findDisputed: checked(disputes.findDisputed),
    findPaidInvoice: checked(disputes.findPaidInvoice),
    listDisputes: checkedPages(disputes.listDisputes),
    previewChange: checked(changes.previewChange),
    previewRenewal: checked(changes.previewRenewal),
    restoreSchedule: checked(changes.restoreSchedule),
    findPeriodCharge: checked(periodCharges.findPeriodCharge),
    changeNow: checked(changes.changeNow),
    changeAtPeriodEnd: checked(changes.changeAtPeriodEnd),
    hasPrice: checked(catalog.hasPrice),
    prepareCatalog: checked(catalog.prepareCatalog),
    syncCatalog: checked(catalog.syncCatalog),
    syncPortal: checked(portal.syncPortal),
    readEvent: async (body, signature) => readStripeEvent({ webhookSecrets, clock }, body, signature),
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
