import { createRoute } from '@tanstack/react-router'
import { lazyScreen } from './lazy-screen.ts'
import { requireMember } from './member-guard.ts'
import { rootRoute } from './root-route.tsx'

/** /archive: all editions, for members. */
export const archiveRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/archive',
  beforeLoad: requireMember,
}).lazy(lazyScreen(async () => (await import('../features/archive/archive-screen.tsx')).ArchiveScreen))
