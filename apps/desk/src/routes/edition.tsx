import { createRoute, lazyRouteComponent, notFound } from '@tanstack/react-router'
import { parseEditionKey } from '@tidings/contracts/edition-key'
import { frameRoute } from './frame.tsx'

/** An edition. The memo that is open in it has its own address below. */
export const editionRoute = createRoute({
  getParentRoute: () => frameRoute,
  path: '/editions/$key',
  beforeLoad({ params }) {
    if (parseEditionKey(params.key) === null) throw notFound()
  },
  component: lazyRouteComponent(() => import('#features/edition/edition-page.tsx'), 'EditionPage'),
})

export const memoRoute = createRoute({ getParentRoute: () => editionRoute, path: '/memos/$id' })
