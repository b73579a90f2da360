import { redirect } from '@tanstack/react-router'
import { requestedPath } from '../lib/requested-path.ts'
import type { AppContext } from './root-route.tsx'
import { unknownPath } from './unknown-path.ts'

type Arrival = {
  context: AppContext
  location: { href: string; pathname: string; searchStr: string }
}

/**
 * Guards a member's route, as its `beforeLoad`. For a visitor the route doesn't exist, like an unknown path. A member
 * whose session has ended logs in and comes back.
 */
export function requireMember(arrival: Arrival): void {
  const { memberSession } = arrival.context.services
  requireActiveSession(arrival)
  if (!memberSession.isLoggedIn())
    throw redirect({ to: unknownPath(arrival.context.services), replace: true, state: { isAnew: true } })
}

/** Guards the change-plan screen, as its `beforeLoad`: whom a checkout on another page sent here logs in first. */
export function requirePlanChanger(arrival: Arrival): void {
  if (new URLSearchParams(arrival.location.searchStr).has('priceId')) requireLogin(arrival)
  requireMember(arrival)
}

/** Leads visitors of a route to the login, as its `beforeLoad`, and back after it. */
export function requireLogin({ context, location }: Arrival): void {
  const { memberSession } = context.services
  if (memberSession.isLoggedIn()) return
  const state = { from: requestedPath(location), hasEnded: memberSession.hasEnded() }
  throw redirect({ to: '/account/login', replace: true, state })
}

/** Guards a route that visitors may open, as its `beforeLoad`: only a member whose session has ended logs in first. */
export function requireActiveSession(arrival: Arrival): void {
  if (arrival.context.services.memberSession.hasEnded()) requireLogin(arrival)
}
