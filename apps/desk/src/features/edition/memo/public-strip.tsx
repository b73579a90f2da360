import { useMutation, useQueryClient } from '@tanstack/react-query'
import type { WorkingCopy } from '@tidings/contracts/desk/memo-text'
import { limits } from '@tidings/contracts/limits'
import { useId, useState } from 'react'
import { Failure } from '#components/failure.tsx'
import { Modal } from '#components/modal.tsx'
import { discardChanges, publishMemo } from '../state/edition-calls.ts'
import { storedMemo } from '../state/memo-fields.ts'
import type { MemoRow } from '../state/memo-rows.ts'
import type { OpenMemo } from '../state/use-draft.ts'

type Props = { open: OpenMemo; row: MemoRow; editionKey: string; canPublish: boolean }

/** Says whether readers have what was written in a memo, and publishes or discards it. */
export function PublicStrip({ open, row, editionKey, canPublish }: Props) {
  const { draft, state } = open
  const [isPublishing, setPublishing] = useState(false)
  const queryClient = useQueryClient()
  const isPrivate = row.state === 'Private'
  const isSaved = state.phase === 'saved' && state.conflict === null && draft.isSaved()
  const onDone = async (copy: WorkingCopy) => {
    await draft.restart(storedMemo(copy))
    queryClient.setQueryData(['working-copy', open.id], copy)
    await queryClient.invalidateQueries({ queryKey: ['edition', editionKey] })
  }
  const discard = useMutation({
    mutationFn: () => discardChanges(open.id, state.stored.version),
    onSuccess: onDone,
  })
  if (row.state === 'Public' && draft.isSaved()) return null
  return (
    <div className="edition-strip">
      <p>
        {isPrivate ? 'This memo isn’t public yet.' : 'This memo is public. Your changes are not.'}
        {!canPublish && ' Writers don’t publish. Mark the memos as ready.'}
      </p>
      <Failure text={discard.error?.message ?? null} />
      {!isPrivate && (
        <button
          type="button"
          className="edition-word"
          disabled={!isSaved || discard.isPending}
          onClick={() => discard.mutate()}
        >
          Discard
        </button>
      )}
      {canPublish && (
        <button type="button" className="filled" disabled={!isSaved} onClick={() => setPublishing(true)}>
          {isPrivate ? 'Publish memo' : 'Publish correction'}
        </button>
      )}
      {isPublishing && (
        <PublishDialog open={open} isPrivate={isPrivate} close={() => setPublishing(false)} onDone={onDone} />
      )}
    </div>
  )
}

type DialogProps = {
  open: OpenMemo
  isPrivate: boolean
  close: () => void
  onDone: (copy: WorkingCopy) => Promise<void>
}

function PublishDialog({ open: { id, state }, isPrivate, close, onDone }: DialogProps) {
  const noteId = useId()
  const [note, setNote] = useState('')
  // The version that the person saw when the dialog opened.
  const [version] = useState(state.stored.version)
  const publish = useMutation({
    mutationFn: () => publishMemo(id, { version, note }),
    async onSuccess(copy) {
      await onDone(copy)
      close()
    },
  })
  return (
    <Modal title={isPrivate ? 'Publish this memo?' : 'Publish this correction?'} close={close}>
      <p>Readers, the archive and emails that are still to be sent get it at once.</p>
      <form
        onSubmit={(event) => {
          event.preventDefault()
          publish.mutate()
        }}
      >
        {!isPrivate && (
          <>
            <label htmlFor={noteId}>Note for readers, below the memo (may stay empty)</label>
            <textarea
              id={noteId}
              rows={2}
              maxLength={limits.noteCharacters}
              value={note}
              onChange={({ target }) => setNote(target.value)}
            />
          </>
        )}
        <Failure text={publish.error?.message ?? null} />
        <div className="actions">
          <button type="button" onClick={close}>
            Cancel
          </button>
          <button type="submit" className="filled" disabled={publish.isPending}>
            {isPrivate ? 'Publish memo' : 'Publish correction'}
          </button>
        </div>
      </form>
    </Modal>
  )
}
