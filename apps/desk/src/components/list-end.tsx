import type { UseInfiniteQueryResult } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { Failure } from './failure.tsx'

type Props = {
  list: Pick<
    UseInfiniteQueryResult,
    | 'error'
    | 'isPending'
    | 'isFetchNextPageError'
    | 'hasNextPage'
    | 'isFetchingNextPage'
    | 'fetchNextPage'
    | 'refetch'
  >
  loading: string
  /** Shown below the last page. */
  children?: ReactNode
}

/** Stands below a list: the way to its next page, its loading, or why it can’t be read. */
export function ListEnd({ list, loading, children }: Props) {
  if (list.error !== null) {
    return (
      <div className="failed-read">
        <Failure text={list.error.message} />
        <button
          type="button"
          onClick={() => void (list.isFetchNextPageError ? list.fetchNextPage() : list.refetch())}
        >
          Try again
        </button>
      </div>
    )
  }
  if (list.isPending) {
    return (
      <p role="status" className="loading">
        {loading}
      </p>
    )
  }
  if (!list.hasNextPage) return children
  return (
    <button
      type="button"
      className="plain"
      disabled={list.isFetchingNextPage}
      onClick={() => void list.fetchNextPage()}
    >
      Show more
    </button>
  )
}
