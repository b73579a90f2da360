import type { QueryClient } from '@tanstack/react-query'
import { createRootRouteWithContext, Link } from '@tanstack/react-router'
import { Failure } from '#components/failure.tsx'

export const rootRoute = createRootRouteWithContext<{ queryClient: QueryClient }>()({
  notFoundComponent: NotFound,
  errorComponent: ({ error }) => (
    <main className="page narrow">
      <h1>The desk couldn’t be opened</h1>
      <Failure text={error instanceof Error ? error.message : String(error)} />
      <button type="button" onClick={() => location.reload()}>
        Try again
      </button>
    </main>
  ),
})

function NotFound() {
  return (
    <main className="page narrow">
      <h1>There is nothing here</h1>
      <p>
        <Link to="/">Go to Today</Link>
      </p>
    </main>
  )
}
