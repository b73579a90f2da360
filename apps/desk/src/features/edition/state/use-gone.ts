import { useQueryClient } from '@tanstack/react-query'
import { editionQuery, forgetMemo, moveToEdition, restoreMemo } from './edition-calls.ts'
import { named } from './memo-rows.ts'
import { useGoTo } from './use-go-to.ts'
import type { Undo } from './use-undo.ts'

type Gone = { id: string; title: string }

/** Leaves a memo that is no longer in its edition for the one below it, and offers to take that back. */
export function useGone(key: string, ids: readonly string[], undo: Undo) {
  const queryClient = useQueryClient()
  const goTo = useGoTo(key)
  const { queryKey } = editionQuery(key)
  const gone = (text: string, id: string, restore: () => Promise<unknown>) => {
    const place = ids.indexOf(id)
    forgetMemo(queryClient, key, id)
    goTo(ids[place + 1] ?? ids[place - 1], true)
    void queryClient.invalidateQueries({ queryKey })
    undo.offer({
      text,
      async undo() {
        await restore()
        await queryClient.invalidateQueries({ queryKey })
        goTo(id)
      },
    })
  }
  return {
    withdrawn: ({ id, title }: Gone) => gone(`Withdrew ${named(title)}.`, id, () => restoreMemo(id)),
    deleted: ({ id, title }: Gone) => gone(`Deleted ${named(title)}.`, id, () => restoreMemo(id)),
    toEdition: (
      { id, title }: Gone,
      { to, version, place }: { to: string; version: number; place: number },
    ) =>
      gone(`Moved ${named(title)} to ${to}.`, id, () =>
        moveToEdition(id, { edition: key, position: place + 1 }, version),
      ),
  }
}
