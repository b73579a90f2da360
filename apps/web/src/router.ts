import { createHashHistory, createRouter, type RouterHistory } from '@tanstack/react-router'
import { pageId } from './components/page-scroll.ts'
import { mainId } from './components/screen.tsx'
import type { AppContext } from './routes/app-context.ts'
import { entranceRoutes } from './routes/entrance-routes.ts'
import { FailedScreen } from './routes/failed-screen.tsx'
import { laterRoutes } from './routes/later-routes.ts'
import { legalRoute } from './routes/legal-route.ts'
import { newsRoutes } from './routes/news-route.ts'
import { PendingScreen } from './routes/pending-screen.tsx'
import { rootRoute } from './routes/root-route.tsx'
import { unknownRoute } from './routes/unknown-route.ts'

const routeTree = rootRoute.addChildren([
  newsRoutes,
  ...entranceRoutes,
  legalRoute,
  ...laterRoutes,
  unknownRoute,
])

/** The site's router: screens live behind the hash. A new screen takes the focus, as a new page would. */
export function createSiteRouter(context: AppContext, history: RouterHistory = createHashHistory()) {
  const router = createRouter({
    routeTree,
    history,
    context,
    scrollRestoration: true,
    scrollToTopSelectors: [`#${pageId}`],
    defaultPendingComponent: PendingScreen,
    defaultErrorComponent: FailedScreen,
    defaultPendingMs: 200,
  })
  router.subscribe('onRendered', ({ fromLocation }) => {
    const main = document.getElementById(mainId)
    if (fromLocation === undefined || main === null || main.contains(document.activeElement)) return
    main.focus({ preventScroll: true })
  })
  return router
}

export type SiteRouter = ReturnType<typeof createSiteRouter>

declare module '@tanstack/react-router' {
  // biome-ignore lint/style/useConsistentTypeDefinitions: only an interface adds to the router's own
  interface Register {
    router: SiteRouter
  }
}
