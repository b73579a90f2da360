import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import type { DeskEdition } from '@tidings/contracts/desk/editions'
import { useCallback, useEffect, useState } from 'react'
import { Failure } from '#components/failure.tsx'
import { wordsText } from '#features/writing/plain-text.ts'
import { addMemo, changePlace, editionQuery } from '../state/edition-calls.ts'
import type { Rights } from '../state/edition-words.ts'
import type { MemoRow } from '../state/memo-rows.ts'
import type { OpenMemo } from '../state/use-draft.ts'
import { useEditionKeys } from './edition-keys.ts'
import { MemoActions } from './memo-actions.tsx'
import { MemoList } from './memo-list.tsx'
import { UndoDelete } from './undo-delete.tsx'

type Props = {
  edition: DeskEdition
  rows: readonly MemoRow[]
  open: OpenMemo | null
  openId: string | null
  rights: Rights
}

const wideScreen = '(min-width: 768px)'

/** The list of memos with their order, and the way to a new one. */
export function MemoSide({ edition, rows, open, openId, rights: { canWrite } }: Props) {
  const { key } = edition
  const navigate = useNavigate()
  const queryClient = useQueryClient()
  const goTo = (id: string | undefined, replace = false) =>
    void (id === undefined
      ? navigate({ to: '/editions/$key', params: { key }, replace })
      : navigate({ to: '/editions/$key/memos/$id', params: { key, id }, replace }))
  const place = rows.findIndex(({ id }) => id === openId)
  const { move, said, error } = useMoves(edition, rows)
  const add = useAddMemo(key, goTo)
  const mayBeReady = canWrite && edition.status !== 'published' && open !== null
  useEditionKeys(rows[place], {
    add: canWrite ? () => !add.isPending && add.mutate() : null,
    step: (by) => goTo(rows[Math.max(0, place + by)]?.id ?? openId ?? undefined),
    move: canWrite && openId !== null ? (by) => move({ id: openId, by }) : null,
    toggleReady: mayBeReady ? () => open.draft.type({ ready: !open.state.text.ready }) : null,
    save: () => void open?.draft.flush(),
  })
  const first = rows[0]?.id
  useEffect(() => {
    if (openId === null && matchMedia(wideScreen).matches && first !== undefined) goTo(first, true)
  }, [openId, first === undefined])
  const row = rows[place]
  const [deleted, setDeleted] = useState<MemoRow | null>(null)
  const closeUndo = useCallback(() => setDeleted(null), [])
  const onGone = useGone(key, () => goTo((rows[place + 1] ?? rows[place - 1])?.id, true))
  const actions = canWrite && row !== undefined && (
    <MemoActions
      editionKey={key}
      row={row}
      isFirst={place === 0}
      isLast={place === rows.length - 1}
      move={(by) => move({ id: row.id, by })}
      onGone={onGone}
      onDeleted={() => {
        setDeleted(row)
        onGone()
      }}
    />
  )
  const words = rows.reduce((sum, each) => sum + each.words, 0)
  return (
    <aside className="edition-side" aria-label="Memos">
      <MemoList editionKey={key} rows={rows} openId={openId} actions={actions} />
      <Failure text={(error ?? add.error)?.message ?? null} />
      <p className="visually-hidden" aria-live="polite">
        {said}
      </p>
      {deleted !== null && (
        <UndoDelete
          key={deleted.id}
          memo={deleted}
          close={closeUndo}
          onRestored={() => {
            closeUndo()
            void queryClient.invalidateQueries({ queryKey: editionQuery(key).queryKey })
            goTo(deleted.id)
          }}
        />
      )}
      <div className="edition-side-foot">
        {canWrite && (
          <button
            type="button"
            className="edition-word"
            aria-keyshortcuts="N"
            disabled={add.isPending}
            onClick={() => add.mutate()}
          >
            Add memo
          </button>
        )}
        <span className="meta">{wordsText(words)}</span>
      </div>
    </aside>
  )
}

function useAddMemo(key: string, goTo: (id: string) => void) {
  const queryClient = useQueryClient()
  return useMutation({
    mutationFn: () => addMemo(key),
    async onSuccess({ id }) {
      await queryClient.invalidateQueries({ queryKey: editionQuery(key).queryKey })
      goTo(id)
    },
  })
}

/** Moves memos one after another, and says where each is now. */
function useMoves(edition: DeskEdition, rows: readonly MemoRow[]) {
  const queryClient = useQueryClient()
  const [said, say] = useState('')
  const move = useMutation({
    scope: { id: `order of ${edition.key}` },
    async mutationFn(step: { id: string; by: -1 | 1 }) {
      const known = queryClient.getQueryData(editionQuery(edition.key).queryKey) ?? edition
      const moved = await changePlace(known, step)
      await queryClient.invalidateQueries({ queryKey: editionQuery(edition.key).queryKey })
      return moved
    },
    onSuccess({ place, of }, { id }) {
      const title = rows.find((row) => row.id === id)?.title ?? ''
      say(`${title === '' ? 'Memo without title' : title}, place ${place} of ${of}`)
    },
  })
  return { move: move.mutate, said, error: move.error }
}

function useGone(key: string, goOn: () => void) {
  const queryClient = useQueryClient()
  return () => {
    goOn()
    void queryClient.invalidateQueries({ queryKey: editionQuery(key).queryKey })
  }
}
