import type { Store } from '../../store/store.ts'
import { type DiscountRecord, redeem, toWireDiscount } from '../products/discount.ts'
import { type CustomerRecord, saveCustomer } from './customer.ts'

/**
 * Gives a customer a coupon in place of any other. It discounts the invoices of subscriptions without discounts, as in
 * https://docs.stripe.com/billing/subscriptions/coupons.
 */
export function discountCustomer(store: Store, customer: CustomerRecord, couponId: string): CustomerRecord {
  const { id: customerId, testClockId } = customer
  const { currency } = store.of('coupon').get(couponId, 'coupon')
  const choice = { couponId, promotionCodeId: null }
  const discount = redeem(store, choice, {
    customerId,
    testClockId,
    currency: currency ?? 'usd',
  })
  const saved = saveCustomer(store, customer, { ...customer, discount })
  emit(store, 'created', saved, discount)
  return saved
}

/** Removes a customer's discount. Invoices that exist keep it. */
export function removeCustomerDiscount(store: Store, customer: CustomerRecord): void {
  const { discount } = customer
  if (!discount) return
  const saved = saveCustomer(store, customer, { ...customer, discount: null })
  emit(store, 'deleted', saved, discount)
}

/** Returns the discounts of a subscription: its own, or else its customer's. */
export function billedDiscounts(
  store: Store,
  { customerId, discounts }: { customerId: string; discounts: DiscountRecord[] },
): DiscountRecord[] {
  const inherited = store.of('customer').find(customerId)?.discount
  return discounts.length === 0 && inherited ? [inherited] : discounts
}

/** Removes a customer's discount of duration `once` that an invoice has used. */
export function useCustomerDiscount(store: Store, customerId: string, used: readonly DiscountRecord[]): void {
  const customer = store.of('customer').get(customerId)
  const { discount } = customer
  if (!discount || !used.some(({ id }) => id === discount.id)) return
  if (store.of('coupon').find(discount.couponId)?.duration === 'once') removeCustomerDiscount(store, customer)
}

function emit(
  store: Store,
  change: 'created' | 'deleted',
  { id, testClockId }: CustomerRecord,
  discount: DiscountRecord,
) {
  store.emit(`customer.discount.${change}`, toWireDiscount(store, discount, { customerId: id }), {
    testClockId,
  })
}
