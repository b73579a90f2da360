import type Stripe from 'stripe'
import type { Clock } from '#platform/clock.ts'
import type { Logger } from '#platform/logger.ts'
import type { PaymentAccount, PaymentGateway } from '../payment-gateway.ts'
import { accountAt } from './account.ts'
import { catalogueAt } from './catalogue.ts'
import { connectStripe, isTestKey, type StripeSettings, type Tax } from './connection.ts'
import { aboutCustomer, customersAt } from './customers.ts'
import { disputesAt } from './disputes.ts'
import { endingsAt } from './endings.ts'
import { readStripeEvent } from './events.ts'
import { inRoleWords, translated } from './failures.ts'
import { pagesAt } from './pages.ts'
import { planChangesAt } from './plan-changes.ts'
import { portalAt } from './portal.ts'
import { refundsAt } from './refunds.ts'
import { subscriptionsAt } from './subscriptions.ts'

type Options = StripeSettings & {
  webhookSecret: string
  tax?: Tax
  clock: Clock
  logger: Logger
  /** Returns the account that the database belongs to, which every call has to be made at; null for any. */
  findStored: () => Promise<PaymentAccount | null>
}

/** Stripe, through its own SDK. With `apiUrl` whatever speaks Stripe's API there. */
export function createStripePaymentGateway(options: Options): PaymentGateway {
  const { webhookSecret, clock, logger, findStored, tax = null, ...settings } = options
  const isTestMode = isTestKey(settings.secretKey)
  const stripe = connectStripe(settings)
  logRefusedKeys(stripe, logger)
  const { findAccount, checkAccount } = accountAt(stripe, { isLive: !isTestMode, findStored, logger })
  const customers = customersAt(stripe)
  const pages = pagesAt(stripe, tax)
  const subscriptions = subscriptionsAt(stripe, { isTestMode })
  const endings = endingsAt(stripe)
  const refunds = refundsAt(stripe)
  const disputes = disputesAt(stripe)
  const changes = planChangesAt(stripe)
  const catalogue = catalogueAt(stripe, tax)
  const portal = portalAt(stripe, tax)

  function checked<Arguments extends unknown[], Result>(call: (...given: Arguments) => Promise<Result>) {
    return translated(async (...given: Arguments) => {
      await checkAccount()
      return await call(...given)
    })
  }

  function checkedPages<Arguments extends unknown[], Page>(
    list: (...given: Arguments) => AsyncIterable<Page>,
  ) {
    return async function* (...given: Arguments) {
      await inRoleWords(checkAccount)
      yield* list(...given)
    }
  }

  return {
    isSetUp: true,
    findAccount: translated(findAccount),
    createCustomer: checked(customers.createCustomer),
    findOwner: checked(customers.findOwner),
    removeCustomer: checked(customers.removeCustomer),
    changeEmail: checked(customers.changeEmail),
    startCheckout: checked((order) =>
      aboutCustomer(stripe, order.customerId, () => pages.startCheckout(order)),
    ),
    openPortal: checked((visit) => aboutCustomer(stripe, visit.customerId, () => pages.openPortal(visit))),
    listSubscriptions: checked(subscriptions.listSubscriptions),
    listAllSubscriptions: checkedPages(subscriptions.listAllSubscriptions),
    cancelSubscription: checked(endings.cancelSubscription),
    endEverything: checked(endings.endEverything),
    settleEnded: checked(endings.settleEnded),
    listPayments: checked(refunds.listPayments),
    refund: checked(refunds.refund),
    findRefund: checked(refunds.findRefund),
    listFailedRefunds: checkedPages(refunds.listFailedRefunds),
    findDisputed: checked(disputes.findDisputed),
    findPaidInvoice: checked(disputes.findPaidInvoice),
    listDisputes: checkedPages(disputes.listDisputes),
    previewChange: checked(changes.previewChange),
    previewRenewal: checked(changes.previewRenewal),
    changeNow: checked(changes.changeNow),
    changeAtPeriodEnd: checked(changes.changeAtPeriodEnd),
    hasPrice: checked(catalogue.hasPrice),
    syncCatalogue: checked(catalogue.syncCatalogue),
    syncPortal: checked(portal.syncPortal),
    readEvent: (body, signature) => readStripeEvent({ webhookSecret, clock }, body, signature),
  }
}

/** Logs each call that Stripe refused because of our key, in requests and in jobs alike: the operator has to act. */
function logRefusedKeys(stripe: Stripe, logger: Logger): void {
  stripe.on('response', ({ status, path, request_id: requestId }: Stripe.ResponseEvent) => {
    // A restricted key needs neither test clocks nor the account, which Stripe names even when it refuses to show it.
    const isNeeded = !path.startsWith('/v1/test_helpers/') && path !== '/v1/account'
    if (status !== 401 && (status !== 403 || !isNeeded)) return
    logger.error({ status, requestId }, 'Stripe refused the secret key')
  })
}
