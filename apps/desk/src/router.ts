import type { QueryClient } from '@tanstack/react-query'
import { createRouter } from '@tanstack/react-router'
import { LoadingScreen } from '#components/loading.tsx'
import { archiveRoute } from './routes/archive.tsx'
import { articleRoute, articlesRoute } from './routes/articles.tsx'
import { commentsRoute } from './routes/comments.tsx'
import { deliveryRoute } from './routes/delivery.tsx'
import { editionRoute, memoRoute } from './routes/edition.tsx'
import { invitationRoute, signInLinkRoute } from './routes/entrance.tsx'
import { dayRoute, frameRoute, todayRoute, youRoute } from './routes/frame.tsx'
import { memberRoute, membersRoute } from './routes/members.tsx'
import { numbersRoute } from './routes/numbers.tsx'
import { logRoute, peopleRoute } from './routes/people.tsx'
import { rootRoute } from './routes/root-route.tsx'
import { signInRoute } from './routes/sign-in.tsx'
import { articleVersionsRoute, memoVersionsRoute } from './routes/versions.tsx'

const routeTree = rootRoute.addChildren([
  signInRoute,
  invitationRoute,
  signInLinkRoute,
  frameRoute.addChildren([
    todayRoute,
    dayRoute,
    editionRoute.addChildren([memoRoute]),
    deliveryRoute,
    youRoute,
    archiveRoute,
    commentsRoute,
    articlesRoute.addChildren([articleRoute]),
    articleVersionsRoute,
    memoVersionsRoute,
    membersRoute.addChildren([memberRoute]),
    numbersRoute,
    peopleRoute,
    logRoute,
  ]),
])

/** Creates the router of the desk, with real paths under `/desk`. */
export function createDeskRouter(queryClient: QueryClient) {
  return createRouter({
    routeTree,
    basepath: '/desk',
    context: { queryClient },
    defaultPendingMs: 300,
    defaultPendingComponent: LoadingScreen,
    scrollRestoration: true,
  })
}

declare module '@tanstack/react-router' {
  // biome-ignore lint/style/useConsistentTypeDefinitions: only an interface extends the router's own
  interface Register {
    router: ReturnType<typeof createDeskRouter>
  }
}
