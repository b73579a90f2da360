import { keepPreviousData, useInfiniteQuery, useMutation, useQueryClient } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { DeletedMemo } from '@tidings/contracts/desk/writing/versions'
import { Failure } from '#components/failure.tsx'
import { ListEnd } from '#components/list-end.tsx'
import { useYou, useZones } from '#lib/desk-context.ts'
import { editionPath } from '#lib/desk-paths.ts'
import { useNow } from '#lib/time/use-now.ts'
import { clockText, dayIn, dayText } from '#lib/time/zoned-time.ts'
import { type ArchiveSearch, archiveKey, bringBack, deletedPages } from './archive-calls.ts'
import { placeOf } from './archive-words.ts'

/** The memos that were deleted in the last 30 days, and the way back for each. */
export function DeletedMemos({ search }: { search: ArchiveSearch }) {
  const list = useInfiniteQuery({ ...deletedPages(search), placeholderData: keepPreviousData })
  const queryClient = useQueryClient()
  const mayWrite = useYou().roles.some((role) => role !== 'moderator')
  const back = useMutation({
    mutationFn: ({ id }: DeletedMemo) => bringBack(id),
    async onSuccess() {
      await queryClient.invalidateQueries({ queryKey: archiveKey })
      await queryClient.invalidateQueries({ queryKey: ['editions'] })
    },
  })
  const memos = list.data?.pages.flatMap(({ data }) => data) ?? []
  if (list.isSuccess && memos.length === 0 && back.data === undefined) return null
  return (
    <section aria-labelledby="archive-deleted" className="archive-deleted">
      <h2 id="archive-deleted">Deleted in the last 30 days</h2>
      <p role="status">
        {back.data !== undefined && (
          <>
            “{titleOf(back.variables)}” is back.{' '}
            <Link to={editionPath(back.data.edition, back.variables.id)}>Open it</Link>
          </>
        )}
      </p>
      <Failure text={back.error?.message ?? null} canClose />
      <ul className="archive-rows">
        {memos.map((memo) => (
          <li key={memo.id} className="archive-gone">
            <Deleted memo={memo} />
            {mayWrite && (
              <button
                type="button"
                className="plain"
                disabled={back.isPending}
                aria-label={`Bring back: ${titleOf(memo)}`}
                onClick={() => back.mutate(memo)}
              >
                Bring back
              </button>
            )}
          </li>
        ))}
      </ul>
      <ListEnd list={list} loading="Loading what was deleted…" />
    </section>
  )
}

function Deleted({ memo }: { memo: DeletedMemo }) {
  const { site } = useZones()
  const { day, slot } = placeOf(memo.edition, dayIn(useNow(), site).year)
  const at = new Date(memo.deletedAt)
  const when = `${dayText(dayIn(at, site), { weekday: undefined })}, ${clockText(at, site)}`
  return (
    <div>
      <p className="archive-title">{titleOf(memo)}</p>
      <p className="meta">
        {day}, {slot} · deleted {when}
        {memo.deletedBy !== '' && ` by ${memo.deletedBy}`}
      </p>
    </div>
  )
}

function titleOf({ title }: DeletedMemo): string {
  return title === '' ? 'A memo without a title' : title
}
