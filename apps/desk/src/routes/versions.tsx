import { createRoute, lazyRouteComponent, notFound } from '@tanstack/react-router'
import { parseEditionKey } from '@tidings/contracts/edition-key'
import { idParam } from '#lib/search-params.ts'
import { frameRoute } from './frame.tsx'

/** The address of a version. */
type VersionSearch = { version?: string | undefined }

function validateSearch({ version }: Record<string, unknown>): VersionSearch {
  return { version: idParam(version) }
}

export const memoVersionsRoute = createRoute({
  getParentRoute: () => frameRoute,
  path: '/editions/$key/memos/$id/versions',
  validateSearch,
  beforeLoad({ params }) {
    if (parseEditionKey(params.key) === null) throw notFound()
  },
  component: lazyRouteComponent(() => import('./versions-page.tsx'), 'MemoVersionsPage'),
})

export const articleVersionsRoute = createRoute({
  getParentRoute: () => frameRoute,
  path: '/articles/$id/versions',
  validateSearch,
  component: lazyRouteComponent(() => import('./versions-page.tsx'), 'ArticleVersionsPage'),
})
