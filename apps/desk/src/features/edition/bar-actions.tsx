import { useMutation, useQueryClient } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { DeskEdition } from '@tidings/contracts/desk/editions'
import { useState } from 'react'
import { Failure } from '#components/failure.tsx'
import { WithdrawDialog } from '#features/delivery/withdraw-dialog.tsx'
import { PublishDialog } from '#features/publish/publish-dialog.tsx'
import { useCommands } from '#lib/browser/commands.ts'
import { useYou } from '#lib/desk-context.ts'
import { ReadyDialog } from './ready-dialog.tsx'
import { backToDraft, editionQuery } from './state/edition-calls.ts'
import { rightsIn } from './state/edition-words.ts'

type Props = { edition: DeskEdition; slot: string }

/** The next step of an edition: to schedule, change or send it, or to follow its delivery. */
export function BarActions({ edition, slot }: Props) {
  const { key, status } = edition
  const { canWrite, canPublish } = rightsIn(status, useYou().roles)
  const [dialog, setDialog] = useState<'none' | 'publish' | 'ready' | 'withdraw'>('none')
  const queryClient = useQueryClient()
  const onSettled = () => queryClient.invalidateQueries({ queryKey: editionQuery(key).queryKey })
  const back = useMutation({ mutationFn: backToDraft, onSettled })
  const close = () => {
    setDialog('none')
    void onSettled()
  }
  const isWaiting = status === 'scheduled' || status === 'held'
  const isOfWriter = canWrite && !canPublish && status === 'draft'
  const next = isOfWriter ? 'ready' : 'publish'
  useCommands(
    isOfWriter || (canPublish && status !== 'published')
      ? [{ name: 'Schedule or publish…', hint: slot, keys: 'mod+enter', run: () => setDialog(next) }]
      : [],
  )
  return (
    <div className="edition-bar-actions">
      <Failure text={back.error?.message ?? null} canClose />
      {back.isSuccess && status === 'draft' && <p role="status">Back to draft. Nothing is sent.</p>}
      {canPublish && isWaiting && (
        <button
          type="button"
          className="edition-quiet"
          disabled={back.isPending}
          onClick={() => back.mutate(edition)}
        >
          Back to draft
        </button>
      )}
      {canPublish && status === 'published' && (
        <button type="button" className="edition-quiet" onClick={() => setDialog('withdraw')}>
          Withdraw {slot}…
        </button>
      )}
      {canPublish && status !== 'published' && (
        <button
          type="button"
          className={status === 'draft' ? 'filled' : undefined}
          aria-keyshortcuts="Meta+Enter Control+Enter"
          onClick={() => setDialog('publish')}
        >
          {status === 'draft' ? 'Schedule…' : 'Change or send…'}
        </button>
      )}
      {isOfWriter && (
        <button type="button" onClick={() => setDialog('ready')}>
          Mark all as ready…
        </button>
      )}
      {status === 'published' && (
        <Link to="/editions/$key/delivery" params={{ key }} className="button">
          Delivery
        </Link>
      )}
      {dialog === 'publish' && <PublishDialog edition={edition} onDone={close} />}
      {dialog === 'ready' && <ReadyDialog edition={edition} close={close} />}
      {dialog === 'withdraw' && <WithdrawDialog editionKey={key} slot={slot} onDone={close} />}
    </div>
  )
}
