import { type ApiError, invalid } from '../../protocol/errors.ts'
import type { Store } from '../../store/store.ts'
import type { SubscriptionRecord } from '../subscription/subscription.record.ts'

/** Returns the card that pays when none is named: the subscription's, else the customer's. */
export function payingCardId(
  store: Store,
  { customerId, defaultPaymentMethodId }: Pick<SubscriptionRecord, 'customerId' | 'defaultPaymentMethodId'>,
): string | null {
  return defaultPaymentMethodId ?? store.of('customer').get(customerId).defaultPaymentMethodId
}

/** Returns Stripe's error for a customer without a card. */
export function noCard(): ApiError {
  return invalid(
    'This customer has no attached payment source or default payment method. Please consider adding a default payment method. For more information, visit https://stripe.com/docs/billing/subscriptions/payment-methods-setting#payment-method-priority.',
    { code: 'resource_missing' },
  )
}
