import { createRoute } from '@tanstack/react-router'
import { lazyScreen } from './lazy-screen.ts'
import { requireMember } from './member-guard.ts'
import { rootRoute } from './root-route.tsx'

const getParentRoute = () => rootRoute
const comingSoon = lazyScreen(async () => (await import('./coming-soon-screen.tsx')).ComingSoonScreen)

/** Logging in and signing up, and the account's own screens. */
export const accountRoutes = [
  createRoute({ getParentRoute, path: '/account/login' }).lazy(comingSoon),
  createRoute({ getParentRoute, path: '/account/signup' }).lazy(comingSoon),
  createRoute({ getParentRoute, path: '/resetpassword' }).lazy(comingSoon),
  createRoute({ getParentRoute, path: '/account/dashboard', beforeLoad: requireMember }).lazy(comingSoon),
  createRoute({ getParentRoute, path: '/account/change-plan', beforeLoad: requireMember }).lazy(comingSoon),
  createRoute({ getParentRoute, path: '/changepassword', beforeLoad: requireMember }).lazy(comingSoon),
]
