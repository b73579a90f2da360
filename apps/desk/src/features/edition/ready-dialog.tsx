import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import type { DeskEdition } from '@tidings/contracts/desk/editions'
import { Failure } from '#components/failure.tsx'
import { Modal } from '#components/modal.tsx'
import { peopleQuery } from '#lib/people-query.ts'
import { editionQuery, markAllReady } from './state/edition-calls.ts'
import { memoRows } from './state/memo-rows.ts'

type Props = { edition: DeskEdition; close: () => void }

const mostNamed = 3
const names = new Intl.ListFormat('en', { type: 'conjunction' })

/** Tells writers what they do instead of publishing, and marks all memos with words as ready. */
export function ReadyDialog({ edition, close }: Props) {
  const queryClient = useQueryClient()
  const { data: people = [] } = useQuery(peopleQuery)
  const publishers = people.filter(({ roles }) => roles.some((role) => role === 'editor' || role === 'owner'))
  const ids = edition.memos.map(({ id }) => id)
  const unready = memoRows(edition, ids, null).filter(({ state }) => state === 'Writing')
  const mark = useMutation({
    mutationFn: () => markAllReady(unready),
    onSuccess: close,
    onSettled: () => queryClient.invalidateQueries({ queryKey: editionQuery(edition.key).queryKey }),
  })
  return (
    <Modal title="Writers don’t publish." close={close}>
      <p>
        {unready.length === 0 ? 'Every memo with words is marked as ready. ' : 'Mark the memos as ready. '}
        {seenBy(publishers.map(({ name }) => name))} it on Today.
      </p>
      <Failure text={mark.error?.message ?? null} canClose />
      <div className="actions">
        <button type="button" onClick={close}>
          Close
        </button>
        {unready.length > 0 && (
          <button type="button" className="filled" disabled={mark.isPending} onClick={() => mark.mutate()}>
            Mark all as ready
          </button>
        )}
      </div>
    </Modal>
  )
}

function seenBy(publishers: readonly string[]): string {
  if (publishers.length === 0 || publishers.length > mostNamed) return 'Editors see'
  return `${names.format(publishers)} ${publishers.length === 1 ? 'sees' : 'see'}`
}
