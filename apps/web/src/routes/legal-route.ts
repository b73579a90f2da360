import { createRoute } from '@tanstack/react-router'
import { laterCode } from './later-code.ts'
import { rootRoute } from './root-route.tsx'

/** /footer: the legal and about page. */
export const legalRoute = createRoute({ getParentRoute: () => rootRoute, path: '/footer' }).lazy(
  laterCode(async () => (await import('../features/legal/legal-screen.tsx')).LegalScreen),
)
