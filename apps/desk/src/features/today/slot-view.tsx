import { useMutation, useQueryClient } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { DeskEdition } from '@tidings/contracts/desk/editions'
import type { CalendarDate } from '@tidings/contracts/edition-key'
import { useState } from 'react'
import { Failure } from '#components/failure.tsx'
import { PublishDialog } from '#features/publish/publish-dialog.tsx'
import { useYou } from '#lib/desk-context.ts'
import { backToDraft, dayEditions } from './day-editions.ts'
import type { SlotColumn } from './slot-column.ts'
import { StartButton } from './start-button.tsx'

type Props = { day: CalendarDate; edition: DeskEdition | null; column: SlotColumn; isNext: boolean }

/** One slot of the day: its state in words, its memos, and what can be done with it. */
export function SlotView({ day, edition, column, isNext }: Props) {
  const { label, status, statusText, headline, lines, memos } = column
  return (
    <section aria-label={label} className="slot">
      <p className="slot-label">
        <span>{label}</span>
        {status !== 'none' && (
          <span className="slot-status">
            <span className={`mark mark-${status}`} aria-hidden="true" /> {statusText}
          </span>
        )}
      </p>
      <h2 className={status === 'held' ? 'urgent' : undefined}>{headline}</h2>
      {lines.map((line) => (
        <p key={line} className="slot-line">
          {line}
        </p>
      ))}
      {memos.length > 0 && (
        <ol className="slot-memos">
          {memos.map(({ id, title, note }) => (
            <li key={id}>
              {title === '' ? <i>No title yet</i> : <span>{title}</span>}
              <span className={note === 'No alt text' ? 'meta urgent' : 'meta'}>{note}</span>
            </li>
          ))}
        </ol>
      )}
      <SlotActions day={day} edition={edition} column={column} isNext={isNext} />
    </section>
  )
}

function SlotActions({ day, edition, column: { key, status }, isNext }: Props) {
  const { roles } = useYou()
  const queryClient = useQueryClient()
  const { queryKey } = dayEditions(day)
  const onSettled = () => queryClient.invalidateQueries({ queryKey })
  const back = useMutation({ mutationFn: backToDraft, onSettled })
  const canWrite = roles.some((role) => role !== 'moderator')
  const canPublish = roles.some((role) => role === 'editor' || role === 'owner')
  const className = isNext ? 'filled' : undefined
  const [dialog, setDialog] = useState<{ start?: 'other' | 'now' } | null>(null)
  const opener = (
    text: string,
    { start, isMain = false }: { start?: 'other' | 'now'; isMain?: boolean } = {},
  ) => (
    <button
      type="button"
      className={isMain ? className : undefined}
      onClick={() => setDialog(start === undefined ? {} : { start })}
    >
      {text}
    </button>
  )
  return (
    <div className="actions">
      {status === 'none' && canWrite && <StartButton editionKey={key} className={className} />}
      {status !== 'none' && (
        <Link
          to="/editions/$key"
          params={{ key }}
          className={isNext && status !== 'held' ? 'button filled' : 'button'}
        >
          Open
        </Link>
      )}
      {canPublish && status === 'draft' && opener('Schedule…')}
      {canPublish && status === 'scheduled' && opener('Change the time')}
      {canPublish && status === 'held' && (
        <>
          {opener('Publish now…', { start: 'now', isMain: true })}
          {opener('Another time', { start: 'other' })}
        </>
      )}
      {(status === 'scheduled' || status === 'held') && canPublish && edition !== null && (
        <button type="button" disabled={back.isPending} onClick={() => back.mutate(edition)}>
          Back to draft
        </button>
      )}
      {status === 'published' && (
        <Link to="/editions/$key/delivery" params={{ key }}>
          Delivery
        </Link>
      )}
      {status === 'published' && (
        <a href={`/#/edition/${key}`} target="_blank" rel="noreferrer">
          On the site
        </a>
      )}
      {back.isSuccess && status === 'draft' && <p role="status">Back to draft. Nothing is sent.</p>}
      {dialog !== null && edition !== null && (
        <PublishDialog edition={edition} {...dialog} onDone={() => setDialog(null)} />
      )}
      <Failure text={back.error?.message ?? null} />
    </div>
  )
}
