import { lazily } from '#platform/lazily.ts'
import type { PaymentGateway } from './payment-gateway.ts'

/** The calls of a gateway, and what runs around each of them. */
export type LoadedGateway = {
  calls: Omit<PaymentGateway, 'isSetUp'>
  /** Runs a call after the checks of the gateway. */
  checked<T>(call: () => Promise<T>): Promise<T>
}

/** Creates a gateway whose first call loads the real one, with the SDK that it needs. */
export function createLazyPaymentGateway(load: () => Promise<LoadedGateway>): PaymentGateway {
  const open = lazily(load)

  function call<Arguments extends unknown[], Result>(
    methodOf: (calls: LoadedGateway['calls']) => (...given: Arguments) => Promise<Result>,
  ) {
    return async (...given: Arguments): Promise<Result> => {
      const { calls, checked } = await open()
      return await checked(() => methodOf(calls)(...given))
    }
  }

  function pages<Arguments extends unknown[], Page>(
    methodOf: (calls: LoadedGateway['calls']) => (...given: Arguments) => AsyncIterable<Page>,
  ) {
    return async function* (...given: Arguments) {
      const { calls, checked } = await open()
      yield* await checked(async () => methodOf(calls)(...given))
    }
  }

  return {
    isSetUp: true,
    // These two need no check: the one is what a check compares, the other is signed for us.
    findAccount: async () => await (await open()).calls.findAccount(),
    readEvent: async (...given) => await (await open()).calls.readEvent(...given),
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
    hasPrice: call((gateway) => gateway.hasPrice),
    prepareCatalog: call((gateway) => gateway.prepareCatalog),
    syncCatalog: call((gateway) => gateway.syncCatalog),
    syncPortal: call((gateway) => gateway.syncPortal),
  }
}
