import { useMutation, useQueryClient } from '@tanstack/react-query'
import type { DeskEdition } from '@tidings/contracts/desk/editions'
import { useState } from 'react'
import { changePlace } from '../orders/order-calls.ts'
import { editionQuery } from '../state/edition-calls.ts'
import type { MemoRow } from '../state/memo-rows.ts'
import { named } from '../state/memo-rows.ts'
import type { Undo } from '../state/use-undo.ts'

type Step = { id: string; by: number; isUndo?: boolean }

/** Moves memos one after another, and says where each is now. */
export function useOrder(edition: DeskEdition, rows: readonly MemoRow[], { offer }: Undo) {
  const queryClient = useQueryClient()
  const [said, say] = useState('')
  const { queryKey } = editionQuery(edition.key)
  const { mutate, mutateAsync, error } = useMutation({
    scope: { id: `order of ${edition.key}` },
    async mutationFn(step: Step) {
      const known = queryClient.getQueryData(queryKey) ?? edition
      const moved = await changePlace(known, step)
      await queryClient.invalidateQueries({ queryKey })
      return moved
    },
    onSuccess({ by, place, of }, { id, isUndo = false }) {
      const title = rows.find((row) => row.id === id)?.title ?? ''
      say(`${title === '' ? 'Memo without title' : title}, place ${place} of ${of}`)
      if (isUndo || by === 0) return
      offer({
        text: `Moved ${named(title)}.`,
        undo: () => mutateAsync({ id, by: -by, isUndo: true }),
      })
    },
  })
  return { move: (step: Step) => mutate(step), said, error }
}
