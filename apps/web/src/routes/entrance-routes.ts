import { createRoute, redirect } from '@tanstack/react-router'
import { laterCode } from './later-code.ts'
import { rootRoute } from './root-route.tsx'

const getParentRoute = () => rootRoute

/** The ways in: / leads to /home, /protect asks for the password, /auth is the landing. */
export const entranceRoutes = [
  createRoute({
    getParentRoute,
    path: '/',
    beforeLoad() {
      throw redirect({ to: '/home', replace: true })
    },
  }),
  createRoute({ getParentRoute, path: '/protect' }).lazy(
    laterCode(async () => (await import('../features/gate/gate-screen.tsx')).GateScreen),
  ),
  createRoute({ getParentRoute, path: '/auth' }).lazy(
    laterCode(async () => (await import('../features/entry-box/landing-screen.tsx')).LandingScreen),
  ),
]
