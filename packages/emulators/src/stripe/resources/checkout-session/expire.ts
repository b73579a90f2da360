import type { Store } from '../../store/store.ts'
import type { CheckoutSessionRecord } from './checkout-session.record.ts'
import { toWireCheckoutSession } from './checkout-session.ts'

/** Expires an open session. */
export function expireSession(store: Store, session: CheckoutSessionRecord): CheckoutSessionRecord {
  const expired = store.of('checkoutSession').put({ ...session, status: 'expired' })
  store.emit('checkout.session.expired', toWireCheckoutSession(store, expired))
  return expired
}

/** Ends every open session whose time is over. */
export function expireSessions(store: Store): void {
  for (const session of store.of('checkoutSession').list(isOver(store))) expireSession(store, session)
}

/** The session as it is now: one whose time is over has expired. Throws `resource_missing` when there is none. */
export function currentSession(store: Store, id: string): CheckoutSessionRecord {
  const session = store.of('checkoutSession').get(id)
  return isOver(store)(session) ? expireSession(store, session) : session
}

function isOver(store: Store) {
  const now = store.now()
  return ({ status, expiresAt }: CheckoutSessionRecord) => status === 'open' && expiresAt <= now
}
