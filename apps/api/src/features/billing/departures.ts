import type { PaymentGateway } from '../../integrations/payments/payment-gateway.ts'
import { orTellMember } from './gateway-failures.ts'

/** Ends what a member pays, before the account is deleted. Rejects when it cannot be, and then nothing is deleted. */
export type EndPayments = (member: { stripeCustomerId: string | null }) => Promise<void>

export function createEndPayments({ gateway }: { gateway: PaymentGateway }): EndPayments {
  return async ({ stripeCustomerId }) => {
    if (stripeCustomerId !== null) await orTellMember(gateway.endEverything(stripeCustomerId))
  }
}
