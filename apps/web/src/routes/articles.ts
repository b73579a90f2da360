import { createRoute } from '@tanstack/react-router'
import { lazyScreen } from './lazy-screen.ts'
import { requireLogin } from './member-guard.ts'
import { rootRoute } from './root-route.tsx'

const getParentRoute = () => rootRoute
const comingSoon = lazyScreen(async () => (await import('./coming-soon-screen.tsx')).ComingSoonScreen)

/** The gated list, for members, and the gated article, which shows a wall to visitors. */
export const articleRoutes = [
  createRoute({ getParentRoute, path: '/gated', beforeLoad: requireLogin }).lazy(comingSoon),
  createRoute({ getParentRoute, path: '/viewgated/$gatedID' }).lazy(comingSoon),
]
