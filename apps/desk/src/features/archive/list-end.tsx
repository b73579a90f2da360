import type { UseInfiniteQueryResult } from '@tanstack/react-query'
import { Failure } from '#components/failure.tsx'

type Props = {
  list: Pick<
    UseInfiniteQueryResult,
    'error' | 'isPending' | 'hasNextPage' | 'isFetchingNextPage' | 'fetchNextPage' | 'refetch'
  >
  loading: string
}

/** Stands below a list: the way to its next page, its loading, or why it can’t be read. */
export function ListEnd({ list, loading }: Props) {
  if (list.error !== null) {
    return (
      <div className="failed-read">
        <Failure text={list.error.message} />
        <button type="button" onClick={() => void list.refetch()}>
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
  if (!list.hasNextPage) return null
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
