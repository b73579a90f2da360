import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { Failure } from '#components/failure.tsx'
import { Modal } from '#components/modal.tsx'
import { editionQuery, restoreMemo } from '../state/edition-calls.ts'
import { named } from '../state/memo-rows.ts'
import type { Undo } from '../state/use-undo.ts'
import { membersText, reachQuery, withdrawMemo } from './correction-calls.ts'

type Props = {
  memo: { id: string; title: string; version: number }
  editionKey: string
  undo: Undo
}

/** Takes a public memo off the site, after saying who has it in their mail. */
export function WithdrawMemo({ memo, editionKey, undo }: Props) {
  const [isOpen, setOpen] = useState(false)
  return (
    <>
      <button type="button" className="edition-word urgent" onClick={() => setOpen(true)}>
        Withdraw…
      </button>
      {isOpen && (
        <WithdrawDialog memo={memo} editionKey={editionKey} undo={undo} close={() => setOpen(false)} />
      )}
    </>
  )
}

function WithdrawDialog({ memo, editionKey, undo, close }: Props & { close: () => void }) {
  const { id, title, version } = memo
  const queryClient = useQueryClient()
  const reach = useQuery(reachQuery(id))
  const withdraw = useMutation({
    mutationFn: () => withdrawMemo(id, version),
    async onSuccess() {
      undo.offer({ text: `Withdrew ${named(title)}.`, undo: () => restoreMemo(id) })
      await queryClient.invalidateQueries({ queryKey: editionQuery(editionKey).queryKey })
    },
  })
  const error = withdraw.error ?? reach.error
  return (
    <Modal title={`Withdraw ${named(title)}?`} close={close}>
      {reach.data === undefined ? (
        error === null && <p className="loading">Reading who has it…</p>
      ) : (
        <p>{mailText(reach.data.gotText)} Readers no longer find it on the site.</p>
      )}
      <Failure text={error?.message ?? null} />
      <div className="actions">
        <button type="button" onClick={close}>
          Cancel
        </button>
        <button
          type="button"
          className="filled"
          disabled={reach.data === undefined || withdraw.isPending}
          onClick={() => withdraw.mutate()}
        >
          Withdraw
        </button>
      </div>
    </Modal>
  )
}

function mailText(count: number): string {
  if (count === 0) return 'Nobody has it in their mail.'
  return `${membersText(count)} ${count === 1 ? 'has' : 'have'} it in their mail. It stays there.`
}
