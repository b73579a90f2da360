import type { Store } from '../../store/store.ts'
import type { PaymentMethodRecord } from '../customer/customer.record.ts'

/**
 * What authenticating a card while it is saved does: the card …3155 is good for payments without its holder from then
 * on; …3184 goes on asking.
 */
export function setUpCard(store: Store, card: PaymentMethodRecord): PaymentMethodRecord {
  if (card.behavior !== 'needs-authentication' || card.last4 !== '3155') return card
  return store.of('paymentMethod').put({ ...card, behavior: 'succeeds' })
}
