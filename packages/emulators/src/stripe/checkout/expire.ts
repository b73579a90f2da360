import { cancelIntent } from '../billing/cards/charging.ts'
import type { CheckoutSessionRecord } from '../records/checkout-session.ts'
import { toWireCheckoutSession } from '../wire/checkout-session.ts'
import type { World } from '../world/world.ts'

/** Ends an open session; nothing can be paid with it any more, nor with the intent that a refused try left. */
export function expireSession(world: World, session: CheckoutSessionRecord): CheckoutSessionRecord {
  const expired = world.of('checkoutSession').put({ ...session, status: 'expired' })
  if (session.paymentIntentId) cancelIntent(world, session.paymentIntentId, 'expired')
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
