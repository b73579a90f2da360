import { createRoute } from '@tanstack/react-router'
import { laterCode } from './later-code.ts'
import { rootRoute } from './root-route.tsx'

const getParentRoute = () => rootRoute
const screen = laterCode(async () => (await import('./later-screen.tsx')).LaterScreen)

/** Screens for members: until they open, a plain page stands in their place. */
export const laterRoutes = [
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
