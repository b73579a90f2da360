import { createRoute } from '@tanstack/react-router'
import { lazyScreen } from './lazy-screen.ts'
import { rootRoute } from './root-route.tsx'

const getParentRoute = () => rootRoute
const screen = lazyScreen(async () => (await import('./coming-soon-screen.tsx')).ComingSoonScreen)

/** The members' screens, which are not built yet. */
export const comingSoonRoutes = [
  createRoute({ getParentRoute, path: '/account/login' }).lazy(screen),
  createRoute({ getParentRoute, path: '/account/signup' }).lazy(screen),
  createRoute({ getParentRoute, path: '/account/dashboard' }).lazy(screen),
  createRoute({ getParentRoute, path: '/account/change-plan' }).lazy(screen),
  createRoute({ getParentRoute, path: '/resetpassword' }).lazy(screen),
  createRoute({ getParentRoute, path: '/changepassword' }).lazy(screen),
  createRoute({ getParentRoute, path: '/archive' }).lazy(screen),
  createRoute({ getParentRoute, path: '/gated' }).lazy(screen),
  createRoute({ getParentRoute, path: '/viewgated/$gatedID' }).lazy(screen),
]
