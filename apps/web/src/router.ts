import {
  createHashHistory,
  createRoute,
  createRouter,
  type RouterHistory,
  redirect,
} from '@tanstack/react-router'
import { mainId } from './components/screen.tsx'
import { pageId } from './components/scroll/page-scroll.ts'
import type { PlanKind } from './lib/plans/plan-kinds.ts'
import { accountRoutes } from './routes/account.ts'
import { archiveRoute } from './routes/archive.ts'
import { articleRoutes } from './routes/articles.ts'
import { ErrorScreen } from './routes/error-screen.tsx'
import { gateRoute } from './routes/gate.ts'
import { landingRoute } from './routes/landing.ts'
import { legalRoute } from './routes/legal.ts'
import { LoadingScreen } from './routes/loading-screen.tsx'
import { News } from './routes/news.tsx'
import { type AppContext, rootRoute } from './routes/root-route.tsx'
import { searchRoute } from './routes/search.ts'
import { unknownPath } from './routes/unknown-path.ts'

const getParentRoute = () => rootRoute

const startRoute = createRoute({
  getParentRoute,
  path: '/',
  beforeLoad() {
    throw redirect({ to: '/home', replace: true })
  },
})

/** One parent for /home and /edition/…, so that the news screen stays while the reader changes editions. */
const newsRoute = createRoute({ getParentRoute, id: 'news', component: News })
const newsRoutes = newsRoute.addChildren([
  createRoute({ getParentRoute: () => newsRoute, path: '/home' }),
  createRoute({ getParentRoute: () => newsRoute, path: '/edition/$timestamp' }),
])

const unknownRoute = createRoute({
  getParentRoute,
  path: '$',
  beforeLoad({ context }) {
    throw redirect({ to: unknownPath(context.services), replace: true })
  },
})

const routeTree = rootRoute.addChildren([
  newsRoutes,
  startRoute,
  gateRoute,
  landingRoute,
  legalRoute,
  ...accountRoutes,
  archiveRoute,
  ...articleRoutes,
  searchRoute,
  unknownRoute,
])

/** Creates the router, with paths behind the hash. A new screen takes the focus, as a new page would. */
export function createSiteRouter(
  context: Omit<AppContext, 'arrival'>,
  history: RouterHistory = createHashHistory(),
) {
  const arrival = {
    isByLink: false,
    isFresh: !context.services.isReload,
    hasTitles: document.documentElement.dataset.start === 'titles',
  }
  history.subscribe(({ action, location }) => {
    const isAnew = action.type === 'REPLACE' && location.state.isAnew === true
    arrival.isByLink = action.type === 'PUSH' || isAnew
    arrival.isFresh = false
    arrival.hasTitles = false
  })
  const router = createRouter({
    routeTree,
    history,
    context: { ...context, arrival },
    scrollRestoration: ({ location }) => arrival.isByLink || !keepsPlace(location.pathname),
    scrollToTopSelectors: [`#${pageId}`],
    defaultPendingComponent: LoadingScreen,
    defaultErrorComponent: ErrorScreen,
    defaultPendingMs: 200,
  })
  router.subscribe('onRendered', ({ fromLocation, hrefChanged }) => {
    const main = document.getElementById(mainId)
    if (fromLocation === undefined || !hrefChanged || main === null || main.contains(document.activeElement))
      return
    main.focus({ preventScroll: true })
  })
  return router
}

/** Returns whether a screen loads what it shows after itself, and restores the reader's place once that is there. */
function keepsPlace(path: string): boolean {
  return /^\/(home|edition|archive|viewgated)/.test(path)
}

export type SiteRouter = ReturnType<typeof createSiteRouter>

declare module '@tanstack/react-router' {
  // biome-ignore lint/style/useConsistentTypeDefinitions: only an interface extends the router's own
  interface Register {
    router: SiteRouter
  }

  // biome-ignore lint/style/useConsistentTypeDefinitions: only an interface extends the router's own
  interface HistoryState {
    /** At /protect, /account/change-plan and the screens of login and sign-up: the path that they interrupted. */
    from?: string
    /** At /home: whether another screen led here, not the way back, so that it begins at its top. */
    isAnew?: boolean
    /** At /account/change-plan: the plan that the path in `from` needs. */
    planKind?: PlanKind
    /** At /account/login: whether the member's session has ended. */
    hasEnded?: boolean
    /** At /account/login and /resetpassword: the address to start with. */
    email?: string
    /** At /resetpassword: the address to which a code was sent, which leads to the second step. */
    codeSentTo?: string
    /** At /resetpassword: what the server says once the new password is set. */
    resetMessage?: string
  }
}
