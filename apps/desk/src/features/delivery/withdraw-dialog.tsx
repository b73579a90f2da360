import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import type { DeskEdition } from '@tidings/contracts/desk/editions'
import * as routes from '@tidings/contracts/desk/routes'
import { useEffect, useRef } from 'react'
import { Failure } from '#components/failure.tsx'
import { call } from '#lib/api/call.ts'
import { counted } from '#lib/counted.ts'
import { mailboxesOf } from './delivery-queries.ts'

type Props = { editionKey: string; slot: string; onDone: () => void }

/** Takes an edition off the site, after saying how many members have it in their mail. */
export function WithdrawDialog({ editionKey: key, slot, onDone }: Props) {
  const dialog = useRef<HTMLDialogElement>(null)
  const queryClient = useQueryClient()
  const mailboxes = useQuery(mailboxesOf(key))
  const edition = useQuery({
    queryKey: ['editions', 'one', key],
    async queryFn({ signal }): Promise<DeskEdition> {
      return (await call(routes.getEdition, { params: { key } }, { signal })).data
    },
  })
  const withdraw = useMutation({
    async mutationFn(version: number) {
      const input = { params: { key }, body: { status: 'draft' } } as const
      await call(routes.putEdition, input, { ifMatch: version })
    },
    onSuccess: onDone,
    async onSettled() {
      await queryClient.invalidateQueries({ queryKey: ['editions'] })
      await queryClient.invalidateQueries({ queryKey: ['delivery'] })
    },
  })
  useEffect(() => dialog.current?.showModal(), [])
  const error = withdraw.error ?? mailboxes.error ?? edition.error
  const isKnown = mailboxes.data !== undefined && edition.data !== undefined
  return (
    <dialog ref={dialog} aria-labelledby="withdraw-title" className="withdraw" onClose={onDone}>
      <h2 id="withdraw-title">Withdraw {slot}</h2>
      {isKnown ? (
        <p>
          {mailText(mailboxes.data)} Readers no longer find it on the site, and nothing more of it is sent. It
          becomes a draft.
        </p>
      ) : (
        error === null && <p className="loading">Reading who has it…</p>
      )}
      <div className="actions">
        <button
          type="button"
          className="delivery-stop"
          disabled={!isKnown || withdraw.isPending}
          onClick={() => edition.data !== undefined && withdraw.mutate(edition.data.version)}
        >
          Withdraw {slot}
        </button>
        <button type="button" className="words" onClick={onDone}>
          Cancel
        </button>
      </div>
      <Failure text={error?.message ?? null} canClose />
    </dialog>
  )
}

function mailText(mailboxes: number | null): string {
  if (mailboxes === 0) return 'Nobody has it in their mail.'
  if (mailboxes === null) return 'Members who got it by email keep it in their mail.'
  return `${counted(mailboxes, 'member has', 'members have')} it in their mail. It stays there.`
}
