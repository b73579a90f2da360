import { createRoute } from '@tanstack/react-router'
import { lazyScreen } from '../lib/chunk.ts'
import { rootRoute } from './root-route.tsx'

const LaterScreen = lazyScreen(async () => (await import('./later-screen.tsx')).LaterScreen)

/** Screens for members: until they open, a plain page stands in their place. */
export const laterRoutes = [
  createRoute({ getParentRoute: () => rootRoute, path: '/account/login', component: LaterScreen }),
  createRoute({ getParentRoute: () => rootRoute, path: '/account/signup', component: LaterScreen }),
  createRoute({ getParentRoute: () => rootRoute, path: '/account/dashboard', component: LaterScreen }),
  createRoute({ getParentRoute: () => rootRoute, path: '/account/change-plan', component: LaterScreen }),
  createRoute({ getParentRoute: () => rootRoute, path: '/resetpassword', component: LaterScreen }),
  createRoute({ getParentRoute: () => rootRoute, path: '/changepassword', component: LaterScreen }),
  createRoute({ getParentRoute: () => rootRoute, path: '/archive', component: LaterScreen }),
  createRoute({ getParentRoute: () => rootRoute, path: '/gated', component: LaterScreen }),
  createRoute({ getParentRoute: () => rootRoute, path: '/viewgated/$gatedID', component: LaterScreen }),
]
