import type { DeskEdition } from '@tidings/contracts/desk/editions'
import { useEffect, useState } from 'react'
import { Failure } from '#components/failure.tsx'
import { wordsText } from '#features/writing/plain-text.ts'
import { OrdersDialog } from '../orders/orders-dialog.tsx'
import type { Rights } from '../state/edition-words.ts'
import type { MemoRow } from '../state/memo-rows.ts'
import { shownMemoId } from '../state/shown-memo-id.ts'
import { toggleReady } from '../state/toggle-ready.ts'
import type { OpenMemo } from '../state/use-draft.ts'
import { useGoTo } from '../state/use-go-to.ts'
import { useGone } from '../state/use-gone.ts'
import type { Undo } from '../state/use-undo.ts'
import { useEditionKeys } from './edition-keys.ts'
import { ListEnd } from './list-end.tsx'
import { MemoActions } from './memo-actions.tsx'
import { MemoList } from './memo-list.tsx'
import { UndoStrip } from './undo-strip.tsx'
import { useNewMemo } from './use-new-memo.ts'
import { useOrder } from './use-order.ts'
import { usePastedMemo } from './use-pasted-memo.ts'

type Props = {
  edition: DeskEdition
  rows: readonly MemoRow[]
  open: OpenMemo | null
  openId: string | null
  rights: Rights
  undo: Undo
}

/** How many words a reader takes in a minute. */
const wordsPerMinute = 220

/** The list of memos with their order, and the way to a new one. */
export function MemoSide({ edition, rows, open, openId, rights: { canWrite }, undo }: Props) {
  const { key } = edition
  const goTo = useGoTo(key)
  const ids = rows.map(({ id }) => id)
  // Its row has room for the actions before it is opened.
  const shownId = shownMemoId(openId, ids)
  const place = rows.findIndex(({ id }) => id === shownId)
  const row = rows[place]
  const { move, said, error } = useOrder(edition, rows, undo)
  const add = useNewMemo(key, goTo)
  const pasted = usePastedMemo(key, canWrite && edition.status !== 'published' && rows.length === 0, undo)
  const [isShowingOrders, setShowingOrders] = useState(false)
  const mayBeReady = canWrite && edition.status !== 'published' && open !== null
  useEditionKeys(row, {
    add: canWrite ? () => !add.isPending && add.mutate(null) : null,
    step: (by) => goTo(rows[Math.max(0, place + by)]?.id ?? openId ?? undefined),
    move: canWrite && openId !== null ? (by) => move({ id: openId, by }) : null,
    toggleReady: mayBeReady ? () => toggleReady(open, undo) : null,
    showOrders: () => setShowingOrders(true),
    save: () => void open?.draft.flush(),
  })
  useEffect(() => {
    if (openId === null && shownId !== null) goTo(shownId, true)
  }, [openId, shownId === null])
  const gone = useGone(key, ids, undo)
  const actions = canWrite && row !== undefined && (
    <MemoActions
      editionKey={key}
      row={row}
      isFirst={place === 0}
      isLast={place === rows.length - 1}
      move={(by) => move({ id: row.id, by })}
      copy={() => open !== null && add.mutate({ open, place })}
      showOrders={() => setShowingOrders(true)}
      onMoved={(to, version) => gone.toEdition(row, { to, version, place })}
      onDeleted={() => gone.deleted(row)}
    />
  )
  const words = rows.reduce((sum, each) => sum + each.words, 0)
  return (
    <aside className="edition-side" aria-label="Memos">
      <MemoList
        editionKey={key}
        rows={rows}
        openId={shownId}
        end={rows.length > 0 && <ListEnd edition={edition} />}
        actions={actions}
        onDrop={canWrite && openId !== null ? (from, to) => move({ id: openId, by: to - from }) : null}
      />
      <Failure text={(error ?? add.error ?? pasted.error)?.message ?? null} canClose />
      <p className="visually-hidden" aria-live="polite">
        {said}
      </p>
      <UndoStrip undo={undo} />
      {isShowingOrders && (
        <OrdersDialog
          edition={edition}
          canWrite={canWrite}
          undo={undo}
          close={() => setShowingOrders(false)}
        />
      )}
      <div className="edition-side-foot">
        {canWrite && (
          <button
            type="button"
            className="edition-word"
            aria-keyshortcuts="N"
            disabled={add.isPending}
            onClick={() => add.mutate(null)}
          >
            Add memo{' '}
            <span className="edition-key" aria-hidden="true">
              N
            </span>
          </button>
        )}
        <span className="meta">
          {wordsText(words)}
          {words > 0 && `, ${Math.max(1, Math.round(words / wordsPerMinute))} min`}
        </span>
      </div>
    </aside>
  )
}
