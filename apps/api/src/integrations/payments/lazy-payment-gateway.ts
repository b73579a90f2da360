import type { PaymentGateway } from './payment-gateway.ts'

/** Creates a gateway whose first call loads the real one, with the SDK that it needs. */
export function createLazyPaymentGateway(load: () => Promise<PaymentGateway>): PaymentGateway {
  let loading: Promise<PaymentGateway> | null = null

  function open(): Promise<PaymentGateway> {
    // A failed load is tried again by the next call.
    loading ??= load().catch((error: unknown) => {
      loading = null
      throw error
    })
    return loading
  }

  function call<Arguments extends unknown[], Result>(
    methodOf: (gateway: PaymentGateway) => (...given: Arguments) => Promise<Result>,
  ) {
    return async (...given: Arguments): Promise<Result> => await methodOf(await open())(...given)
  }

  function pages<Arguments extends unknown[], Page>(
    methodOf: (gateway: PaymentGateway) => (...given: Arguments) => AsyncIterable<Page>,
  ) {
    return async function* (...given: Arguments) {
      yield* methodOf(await open())(...given)
    }
  }

  return {
    isSetUp: true,
    findAccount: call((gateway) => gateway.findAccount),
    createCustomer: call((gateway) => gateway.createCustomer),
    findOwner: call((gateway) => gateway.findOwner),
    retireCustomer: call((gateway) => gateway.retireCustomer),
    updateEmail: call((gateway) => gateway.updateEmail),
    startCheckout: call((gateway) => gateway.startCheckout),
    openPortal: call((gateway) => gateway.openPortal),
    listSubscriptions: call((gateway) => gateway.listSubscriptions),
    listAllSubscriptions: pages((gateway) => gateway.listAllSubscriptions),
    previewChange: call((gateway) => gateway.previewChange),
    previewRenewal: call((gateway) => gateway.previewRenewal),
    findPeriodCharge: call((gateway) => gateway.findPeriodCharge),
    changeNow: call((gateway) => gateway.changeNow),
    restoreSchedule: call((gateway) => gateway.restoreSchedule),
    changeAtPeriodEnd: call((gateway) => gateway.changeAtPeriodEnd),
    useDefaultCard: call((gateway) => gateway.useDefaultCard),
    cancelSubscription: call((gateway) => gateway.cancelSubscription),
    settleEnded: call((gateway) => gateway.settleEnded),
    listPayments: call((gateway) => gateway.listPayments),
    refund: call((gateway) => gateway.refund),
    findRefund: call((gateway) => gateway.findRefund),
    listFailedRefunds: pages((gateway) => gateway.listFailedRefunds),
    cancelAll: call((gateway) => gateway.cancelAll),
    findDisputed: call((gateway) => gateway.findDisputed),
    findPaidInvoice: call((gateway) => gateway.findPaidInvoice),
    listDisputes: pages((gateway) => gateway.listDisputes),
    readEvent: call((gateway) => gateway.readEvent),
    hasPrice: call((gateway) => gateway.hasPrice),
    prepareCatalog: call((gateway) => gateway.prepareCatalog),
    syncCatalog: call((gateway) => gateway.syncCatalog),
    syncPortal: call((gateway) => gateway.syncPortal),
  }
}
