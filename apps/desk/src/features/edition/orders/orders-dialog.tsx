import './orders.css'
import { useInfiniteQuery, useMutation, useQueryClient } from '@tanstack/react-query'
import type { DeskEdition } from '@tidings/contracts/desk/editions'
import { Failure } from '#components/failure.tsx'
import { ListEnd } from '#components/list-end.tsx'
import { Modal } from '#components/modal.tsx'
import { momentText, otherClock } from '#features/versions/version-words.ts'
import { useZones } from '#lib/desk-context.ts'
import { useNow } from '#lib/time/use-now.ts'
import { editionQuery, orderOf } from '../state/edition-calls.ts'
import type { Undo } from '../state/use-undo.ts'
import { orderPages, restoreOrder } from './order-calls.ts'
import { type OrderVersion, orderVersions, restoredOrder } from './order-versions.ts'

type Props = { edition: DeskEdition; canWrite: boolean; undo: Undo; close: () => void }

/** The orders that an edition had, newest first. One of them can be restored. */
export function OrdersDialog({ edition, canWrite, undo, close }: Props) {
  const queryClient = useQueryClient()
  const list = useInfiniteQuery(orderPages(edition.key))
  const { queryKey } = editionQuery(edition.key)
  const { mutate, mutateAsync, error, isPending } = useMutation({
    scope: { id: `order of ${edition.key}` },
    async mutationFn({ ids }: { ids: readonly string[]; isUndo?: boolean }) {
      const before = await restoreOrder(queryClient.getQueryData(queryKey) ?? edition, ids)
      await queryClient.invalidateQueries({ queryKey })
      return before
    },
    onSuccess(before, { isUndo = false }) {
      if (isUndo) return
      undo.offer({
        text: 'Restored an earlier order.',
        undo: () => mutateAsync({ ids: before, isUndo: true }),
      })
      close()
    },
  })
  const current = orderOf(edition)
  const versions = orderVersions(list.data?.pages.flatMap(({ data }) => data) ?? [], list.hasNextPage)
  return (
    <Modal title="Earlier orders" close={close}>
      <ul className="orders" aria-label="Orders">
        {versions.map((version) => (
          <li key={version.id}>
            <Order
              version={version}
              isNow={restoredOrder(current, idsOf(version)).join() === current.join()}
              restore={canWrite && !isPending ? () => mutate({ ids: idsOf(version) }) : null}
            />
          </li>
        ))}
      </ul>
      <ListEnd list={list} loading="Loading the orders…">
        {versions.length === 0 && <p>Nobody has changed the order yet.</p>}
      </ListEnd>
      {versions.length > 0 && (
        <p className="meta">
          One for each sitting. A memo that is gone stays gone; a newer one stays behind the one it follows.
        </p>
      )}
      <Failure text={error?.message ?? null} canClose />
      <div className="actions">
        <button type="button" onClick={close}>
          Close
        </button>
      </div>
    </Modal>
  )
}

type OrderProps = { version: OrderVersion; isNow: boolean; restore: (() => void) | null }

function Order({ version: { since, memos }, isNow, restore }: OrderProps) {
  const zones = useZones()
  const now = useNow()
  const at = since === null ? null : new Date(since.at)
  return (
    <>
      <div className="orders-head">
        <h3>{at === null ? 'Before the first change' : momentText(at, zones.site, now)}</h3>
        <p className="meta">
          {since !== null && at !== null && [since.editor, otherClock(at, zones)].filter(Boolean).join(' · ')}
        </p>
        {isNow ? (
          <p className="meta">The order now</p>
        ) : (
          restore !== null && (
            <button type="button" className="plain" onClick={restore}>
              Restore this order
            </button>
          )
        )}
      </div>
      <ol>
        {memos.map(({ id, title, isHere }) => (
          <li key={id}>
            {isHere ? titleText(title) : <s>{titleText(title)}</s>}
            {!isHere && <span className="meta"> no longer here</span>}
          </li>
        ))}
      </ol>
    </>
  )
}

function titleText(title: string | null): string {
  if (title === null) return 'A deleted memo'
  return title === '' ? 'No title yet' : title
}

function idsOf({ memos }: OrderVersion): string[] {
  return memos.map(({ id }) => id)
}
