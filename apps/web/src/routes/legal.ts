import { createRoute } from '@tanstack/react-router'
import { lazyScreen } from './lazy-screen.ts'
import { rootRoute } from './root-route.tsx'

/** /footer: the legal and about page. */
export const legalRoute = createRoute({ getParentRoute: () => rootRoute, path: '/footer' }).lazy(
  lazyScreen(async () => (await import('../features/legal/legal-screen.tsx')).LegalScreen),
)
