import { InvalidSignatureError, PaymentsUnavailableError } from './gateway-errors.ts'
import type { PaymentGateway } from './payment-gateway.ts'

/** Creates the gateway of a site without payments: every call fails. */
export function createNoPaymentGateway(): PaymentGateway {
  const refuse = async (): Promise<never> => {
    throw new PaymentsUnavailableError('STRIPE_SECRET_KEY is not set')
  }
  return {
    isSetUp: false,
    findAccount: refuse,
    hasPrice: refuse,
    createCustomer: refuse,
    findOwner: refuse,
    retireCustomer: refuse,
    updateEmail: refuse,
    startCheckout: refuse,
    openPortal: refuse,
    listSubscriptions: refuse,
    async *listAllSubscriptions() {
      yield await refuse()
    },
    previewChange: refuse,
    previewRenewal: refuse,
    restoreSchedule: refuse,
    findPeriodCharge: refuse,
    changeNow: refuse,
    changeAtPeriodEnd: refuse,
    useDefaultCard: refuse,
    cancelSubscription: refuse,
    settleEnded: refuse,
    listPayments: refuse,
    refund: refuse,
    findRefund: refuse,
    async *listFailedRefunds() {
      yield await refuse()
    },
    cancelAll: refuse,
    findDisputed: refuse,
    findPaidInvoice: refuse,
    async *listDisputes() {
      yield await refuse()
    },
    async readEvent() {
      throw new InvalidSignatureError('STRIPE_WEBHOOK_SECRET is not set')
    },
    prepareCatalog: refuse,
    syncCatalog: refuse,
    syncPortal: refuse,
  }
}
