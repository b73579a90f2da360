import { createRoute, redirect, useNavigate } from '@tanstack/react-router'
import { lazyScreen } from '../lib/chunk.ts'
import { rootRoute } from './root-route.tsx'

const GateScreen = lazyScreen(async () => (await import('../features/gate/gate-screen.tsx')).GateScreen)

const LandingScreen = lazyScreen(async () => {
  const landing = await import('../features/entry-box/landing-screen.tsx')
  return function Landing() {
    const navigate = useNavigate()
    return <landing.LandingScreen onEntered={() => void navigate({ to: '/home' })} />
  }
})

/** The ways in: / leads to /home, /protect asks for the password, /auth is the landing. */
export const entranceRoutes = [
  createRoute({
    getParentRoute: () => rootRoute,
    path: '/',
    beforeLoad() {
      throw redirect({ to: '/home', replace: true })
    },
  }),
  createRoute({ getParentRoute: () => rootRoute, path: '/protect', component: GateScreen }),
  createRoute({ getParentRoute: () => rootRoute, path: '/auth', component: LandingScreen }),
]
