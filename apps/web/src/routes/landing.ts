import { createRoute } from '@tanstack/react-router'
import { lazyScreen } from './lazy-screen.ts'
import { rootRoute } from './root-route.tsx'

/** /auth: the landing with the entry box. */
export const landingRoute = createRoute({ getParentRoute: () => rootRoute, path: '/auth' }).lazy(
  lazyScreen(async () => (await import('../features/entry-box/landing-screen.tsx')).LandingScreen),
)
