import { paymentMethodOf } from '../../customers/payment-methods.ts'
import { invalid, type StripeFault } from '../../protocol/errors.ts'
import type { InvoiceRecord } from '../../records/invoice.ts'
import type { World } from '../../world/world.ts'

/** The card that pays an invoice, when none is named: the subscription's, else the customer's. */
export function payingCardId(
  world: World,
  { customerId, subscriptionId }: Pick<InvoiceRecord, 'customerId' | 'subscriptionId'>,
): string | null {
  const subscription = subscriptionId ? world.of('subscription').find(subscriptionId) : undefined
  return (
    subscription?.defaultPaymentMethodId ??
    world.of('customer').get(customerId).defaultPaymentMethodId ??
    null
  )
}

/** What Stripe says when there is nothing to charge. */
export function noCard(): StripeFault {
  return invalid(
    'This customer has no attached payment source or default payment method. Please consider adding a default payment method. For more information, visit https://stripe.com/docs/billing/subscriptions/payment-methods-setting#payment-method-priority.',
    { code: 'resource_missing' },
  )
}

/** Throws unless the card is saved with this customer; `param` named it. */
export function requireOwnCard(world: World, id: string, customerId: string, param: string): void {
  if (paymentMethodOf(world, id, param).customerId === customerId) return
  throw invalid(
    `The customer does not have a payment method with the ID ${id}. The payment method must be attached to the customer.`,
    { code: 'resource_missing', param },
  )
}

/**
 * The card for a payment that no invoice asks for: one of the payer's, or one that is saved with nobody. Throws for
 * one that is saved with somebody else.
 */
export function requireUsableCard(world: World, id: string, customerId: string | null): string {
  const card = paymentMethodOf(world, id, 'payment_method')
  if (card.customerId === null || card.customerId === customerId) return card.id
  throw invalid(
    `The payment method supplied (${card.id}) belongs to a different Customer. Please include the Customer in the \`customer\` parameter on the PaymentIntent.`,
    { param: 'payment_method' },
  )
}
