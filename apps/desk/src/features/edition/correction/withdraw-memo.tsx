import { useMutation, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { Failure } from '#components/failure.tsx'
import { Modal } from '#components/modal.tsx'
import { named } from '../state/memo-rows.ts'
import { membersText, reachQuery, withdrawMemo } from './correction-calls.ts'

type Props = {
  memo: { id: string; title: string; version: number }
  /** Called once readers no longer have it. */
  onWithdrawn: (memo: { id: string; title: string }) => void
}

/** Takes a public memo off the site, after saying who has it in their mail. */
export function WithdrawMemo({ memo, onWithdrawn }: Props) {
  const [isOpen, setOpen] = useState(false)
  return (
    <>
      <button type="button" className="edition-word urgent" onClick={() => setOpen(true)}>
        Withdraw…
      </button>
      {isOpen && <WithdrawDialog memo={memo} onWithdrawn={onWithdrawn} close={() => setOpen(false)} />}
    </>
  )
}

function WithdrawDialog({ memo, onWithdrawn, close }: Props & { close: () => void }) {
  const { id, title, version } = memo
  const reach = useQuery(reachQuery(id))
  const withdraw = useMutation({
    mutationFn: () => withdrawMemo(id, version),
    onSuccess: () => onWithdrawn({ id, title }),
  })
  const error = withdraw.error ?? reach.error
  return (
    <Modal title={`Withdraw ${named(title)}?`} close={close}>
      {reach.data === undefined ? (
        error === null && <p className="loading">Reading who has it…</p>
      ) : (
        <p>{mailText(reach.data.gotText)} Readers no longer find it on the site.</p>
      )}
      <Failure text={error?.message ?? null} canClose />
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

function mailText(count: number | null): string {
  if (count === null) return 'Members who got it by email keep it in their mail.'
  if (count === 0) return 'Nobody has it in their mail.'
  return `${membersText(count)} ${count === 1 ? 'has' : 'have'} it in their mail. It stays there.`
}
