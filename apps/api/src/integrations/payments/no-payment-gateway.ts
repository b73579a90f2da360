import { InvalidSignatureError, PaymentsUnavailableError } from './gateway-errors.ts'
import { createLazyPaymentGateway } from './lazy-payment-gateway.ts'
import type { PaymentGateway } from './payment-gateway.ts'

/** Creates the gateway of a site without payments: every call fails. */
export function createNoPaymentGateway(): PaymentGateway {
  return {
    ...createLazyPaymentGateway(async () => {
      throw new PaymentsUnavailableError('STRIPE_SECRET_KEY is not set')
    }),
    isSetUp: false,
    async readEvent() {
      throw new InvalidSignatureError('STRIPE_WEBHOOK_SECRET is not set')
    },
  }
}
