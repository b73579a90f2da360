import { createRoute } from '@tanstack/react-router'
import { lazyScreen } from './lazy-screen.ts'
import { rootRoute } from './root-route.tsx'

/** /protect: the password screen. */
export const gateRoute = createRoute({ getParentRoute: () => rootRoute, path: '/protect' }).lazy(
  lazyScreen(async () => (await import('../features/gate/gate-screen.tsx')).GateScreen),
)
