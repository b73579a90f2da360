import { useMutation, useQueryClient } from '@tanstack/react-query'
import type { WorkingCopy } from '@tidings/contracts/desk/memo-text'
import { useState } from 'react'
import { newerOf } from '#features/writing/text-drafts.ts'
import { ApiError } from '#lib/api/call.ts'
import { discardChanges, editionQuery, publishMemo } from '../state/edition-calls.ts'
import { storedMemo } from '../state/memo-fields.ts'
import type { OpenMemo } from '../state/use-draft.ts'
import { reachQuery, sendCorrection } from './correction-calls.ts'

/** The note of a correction, and whether it is sent. */
export type CorrectionChoice = { note: string; isNoteShown: boolean; isSent: boolean }

export type Correction = ReturnType<typeof useCorrection>

const nothingChosen: CorrectionChoice = { note: '', isNoteShown: true, isSent: false }

/** Publishes or discards the changes of a public memo, and sends a correction if it was asked for. */
export function useCorrection({ id, draft, state }: OpenMemo, editionKey: string) {
  const queryClient = useQueryClient()
  const [choice, setChoice] = useState(nothingChosen)
  /** The note of a correction that is public, but not sent yet. */
  const [unsent, setUnsent] = useState<string | null>(null)
  const show = async (copy: WorkingCopy) => {
    await draft.restart(storedMemo(copy))
    queryClient.setQueryData<WorkingCopy>(['working-copy', id], (known) => newerOf(known, copy))
    await queryClient.invalidateQueries({ queryKey: editionQuery(editionKey).queryKey })
  }
  // A refused version is older than the newest one.
  const readAgain = () => queryClient.invalidateQueries({ queryKey: ['working-copy', id] })
  const send = useMutation({
    mutationFn: (note: string) => sendCorrection(id, note),
    onSuccess(status) {
      queryClient.setQueryData(reachQuery(id).queryKey, status)
      setUnsent(null)
    },
  })
  const publish = useMutation({
    async mutationFn({ version, note, isNoteShown }: CorrectionChoice & { version: number }) {
      return await publishMemo(id, { version, note: isNoteShown ? note : '' })
    },
    async onSuccess(copy, { note, isSent }) {
      setChoice(nothingChosen)
      if (isSent) {
        setUnsent(note)
        send.mutate(note)
      }
      await show(copy)
    },
    onError: readAgain,
  })
  const discard = useMutation({
    mutationFn: () => discardChanges(id, state.stored.version),
    async onSuccess(copy) {
      setChoice(nothingChosen)
      await show(copy)
    },
    onError: readAgain,
  })
  return {
    choice,
    choose: (change: Partial<CorrectionChoice>) => setChoice({ ...choice, ...change }),
    publish: () => publish.mutate({ ...choice, version: state.stored.version }),
    discard: () => discard.mutate(),
    sendAgain: unsent === null ? null : () => send.mutate(unsent),
    sent: send.data ?? null,
    isPending: publish.isPending || discard.isPending || send.isPending,
    failure: failureText(publish.error ?? discard.error),
    sendError: send.error,
  }
}

function failureText(error: Error | null): string | null {
  if (error instanceof ApiError && error.code === 'version-conflict')
    return 'This memo was changed meanwhile. Look at it again.'
  return error?.message ?? null
}
