import type Stripe from 'stripe'
import type { Clock } from '../../../platform/clock.ts'
import type { Logger } from '../../../platform/logger.ts'
import type { PaymentGateway } from '../payment-gateway.ts'
import { catalogueAt } from './catalogue.ts'
import { connectStripe, isTestKey, type StripeSettings, type Tax } from './connection.ts'
import { customersAt } from './customers.ts'
import { disputesAt } from './disputes.ts'
import { endingsAt } from './endings.ts'
import { readStripeEvent } from './events.ts'
import { translated } from './failures.ts'
import { pagesAt } from './pages.ts'
import { planChangesAt } from './plan-changes.ts'
import { portalAt } from './portal.ts'
import { refundsAt } from './refunds.ts'
import { subscriptionsAt } from './subscriptions.ts'

type Options = StripeSettings & { webhookSecret: string; tax?: Tax; clock: Clock; logger: Logger }

/** Stripe, through its own SDK. With `apiUrl` whatever speaks Stripe's API there. */
export function createStripePaymentGateway(options: Options): PaymentGateway {
  const { webhookSecret, clock, logger, tax = null, ...settings } = options
  const stripe = connectStripe(settings)
  logRefusedKeys(stripe, logger)
  const customers = customersAt(stripe)
  const pages = pagesAt(stripe, tax)
  const subscriptions = subscriptionsAt(stripe, { isTestMode: isTestKey(settings.secretKey) })
  const endings = endingsAt(stripe)
  const refunds = refundsAt(stripe)
  const disputes = disputesAt(stripe)
  const changes = planChangesAt(stripe)
  const catalogue = catalogueAt(stripe, tax)
  const portal = portalAt(stripe, tax)
  return {
    isSetUp: true,
    createCustomer: translated(customers.createCustomer),
    removeCustomer: translated(customers.removeCustomer),
    changeEmail: translated(customers.changeEmail),
    startCheckout: translated(pages.startCheckout),
    openPortal: translated(pages.openPortal),
    listSubscriptions: translated(subscriptions.listSubscriptions),
    listAllSubscriptions: subscriptions.listAllSubscriptions,
    cancelSubscription: translated(endings.cancelSubscription),
    endEverything: translated(endings.endEverything),
    refundLatestInvoice: translated(refunds.refundLatestInvoice),
    findDisputed: translated(disputes.findDisputed),
    listDisputes: disputes.listDisputes,
    previewChange: translated(changes.previewChange),
    previewRenewal: translated(changes.previewRenewal),
    changeNow: translated(changes.changeNow),
    changeAtPeriodEnd: translated(changes.changeAtPeriodEnd),
    syncCatalogue: translated(catalogue.syncCatalogue),
    syncPortal: translated(portal.syncPortal),
    readEvent: (body, signature) => readStripeEvent({ webhookSecret, clock }, body, signature),
  }
}

/** Logs each call that Stripe refused because of our key, in requests and in jobs alike: the operator has to act. */
function logRefusedKeys(stripe: Stripe, logger: Logger): void {
  stripe.on('response', ({ status, path, request_id: requestId }: Stripe.ResponseEvent) => {
    // A restricted key without a right to test clocks is fine: its account uses none.
    if ((status !== 401 && status !== 403) || path.startsWith('/v1/test_helpers/')) return
    logger.error({ status, requestId }, 'Stripe refused the secret key')
  })
}
