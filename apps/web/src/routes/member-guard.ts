import { redirect } from '@tanstack/react-router'
import { requestedPath } from '../lib/requested-path.ts'
import type { AppContext } from './root-route.tsx'
import { unknownPath } from './unknown-path.ts'

type Arrival = {
  context: AppContext
  location: { href: string; pathname: string; searchStr: string }
}

/**
 * The `beforeLoad` of a member's route. For a visitor the route doesn't exist, like an unknown path. A member whose
 * session has ended logs in and comes back.
 */
export function requireMember(arrival: Arrival): void {
  const { memberSession } = arrival.context.services
  requireActiveSession(arrival)
  if (!memberSession.isLoggedIn())
    throw redirect({ to: unknownPath(arrival.context.services), replace: true })
}

/** The `beforeLoad` of a route that leads visitors to the login, and back after it. */
export function requireLogin({ context, location }: Arrival): void {
  const { memberSession } = context.services
  if (memberSession.isLoggedIn()) return
  const state = { from: requestedPath(location), hasEnded: memberSession.hasEnded() }
  throw redirect({ to: '/account/login', replace: true, state })
}

/** The `beforeLoad` of a route that visitors may open: only a member whose session has ended logs in first. */
export function requireActiveSession(arrival: Arrival): void {
  if (arrival.context.services.memberSession.hasEnded()) requireLogin(arrival)
}
