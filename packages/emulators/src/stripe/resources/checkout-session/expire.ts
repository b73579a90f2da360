import type { World } from '../../store/store.ts'
import type { CheckoutSessionRecord } from './checkout-session.record.ts'
import { toWireCheckoutSession } from './checkout-session.ts'

/** Expires an open session. */
export function expireSession(world: World, session: CheckoutSessionRecord): CheckoutSessionRecord {
  const expired = world.of('checkoutSession').put({ ...session, status: 'expired' })
  world.emit('checkout.session.expired', toWireCheckoutSession(world, expired))
  return expired
}

/** Ends every open session whose time is over. */
export function expireSessions(world: World): void {
  for (const session of world.of('checkoutSession').list(isOver(world))) expireSession(world, session)
}

/** The session as it is now: one whose time is over has expired. Throws `resource_missing` when there is none. */
export function currentSession(world: World, id: string): CheckoutSessionRecord {
  const session = world.of('checkoutSession').get(id)
  return isOver(world)(session) ? expireSession(world, session) : session
}

function isOver(world: World) {
  const now = world.now()
  return ({ status, expiresAt }: CheckoutSessionRecord) => status === 'open' && expiresAt <= now
}
