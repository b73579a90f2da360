import { createRoute } from '@tanstack/react-router'
import { NewsScreen } from './news-screen.tsx'
import { rootRoute } from './root-route.tsx'

/** The news view stays in place while the reader goes from one edition to another. */
const newsRoute = createRoute({ getParentRoute: () => rootRoute, id: 'news', component: NewsScreen })

/** /home: today's newest edition. /edition/:timestamp: the chosen one. */
export const newsRoutes = newsRoute.addChildren([
  createRoute({ getParentRoute: () => newsRoute, path: '/home' }),
  createRoute({ getParentRoute: () => newsRoute, path: '/edition/$timestamp' }),
])
