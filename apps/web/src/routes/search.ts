import { createRoute } from '@tanstack/react-router'
import { lazyScreen } from './lazy-screen.ts'
import { rootRoute } from './root-route.tsx'

/** /search: memos and gated articles. */
export const searchRoute = createRoute({ getParentRoute: () => rootRoute, path: '/search' }).lazy(
  lazyScreen(async () => (await import('./found-memos.tsx')).FoundMemos),
)
