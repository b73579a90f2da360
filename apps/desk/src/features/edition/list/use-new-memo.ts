import { useMutation, useQueryClient } from '@tanstack/react-query'
import { limits } from '@tidings/contracts/limits'
import { noteNewText } from '#features/writing/new-texts.ts'
import { addMemo, editionQuery } from '../state/edition-calls.ts'
import type { OpenMemo } from '../state/use-draft.ts'

/** Adds memos to an edition: empty ones, and copies of the open one below it. */
export function useNewMemo(key: string, goTo: (id: string) => void) {
  const queryClient = useQueryClient()
  return useMutation({
    async mutationFn(from: { open: OpenMemo; place: number } | null) {
      if (from === null) return await addMemo(key, {})
      const { ready: _, ...text } = from.open.draft.getState().text
      const title = `Copy of ${text.title}`.trim().slice(0, limits.titleCharacters)
      return await addMemo(key, { ...text, title, position: from.place + 2 })
    },
    async onSuccess({ id }, from) {
      if (from === null) noteNewText(id)
      await queryClient.invalidateQueries({ queryKey: editionQuery(key).queryKey })
      goTo(id)
    },
  })
}
