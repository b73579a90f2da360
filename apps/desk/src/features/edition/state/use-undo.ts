import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { newId } from '#lib/browser/ambient.ts'
import { after } from '#lib/browser/timer.ts'
import { useKeys } from '#lib/browser/use-keys.ts'

/** A deed that can be taken back for ten seconds. */
export type Deed = {
  /** Names what was done, such as: Deleted “The last coal train”. */
  text: string
  undo: () => Promise<unknown>
}

/** The last deed in an edition, and the way to take it back. */
export type Undo = {
  id: string
  text: string | null
  isPending: boolean
  error: Error | null
  offer: (deed: Deed) => void
  undo: () => void
}

const undoMs = 10_000

/** Offers to take back the last deed in an edition, for ten seconds and by ⌘Z outside texts. */
export function useUndo(editionKey: string): Undo {
  const queryClient = useQueryClient()
  const [last, setLast] = useState<(Deed & { id: string }) | null>(null)
  const {
    mutate,
    reset,
    isPending,
    isIdle,
    error: failure,
  } = useMutation({
    mutationFn: (deed: Deed) => deed.undo(),
    async onSuccess() {
      setLast(null)
      await queryClient.invalidateQueries({ queryKey: ['edition', editionKey] })
    },
  })
  const undo = () => {
    if (last !== null && !isPending) mutate(last)
  }
  useEffect(() => {
    if (last !== null && isIdle) return after(undoMs, () => setLast(null))
  }, [last, isIdle])
  useKeys({ 'mod+z': last === null ? undefined : undo })
  return {
    id: last?.id ?? '',
    text: last?.text ?? null,
    isPending,
    error: last === null ? null : failure,
    undo,
    offer(deed) {
      reset()
      setLast({ ...deed, id: newId() })
    },
  }
}
