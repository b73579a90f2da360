import { useMutation, useQueryClient } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { DeskEdition } from '@tidings/contracts/desk/editions'
import type { CalendarDate } from '@tidings/contracts/edition-key'
import { useState } from 'react'
import { Failure } from '#components/failure.tsx'
import { PublishDialog } from '#features/publish/publish-dialog.tsx'
import { useYou } from '#lib/desk-context.ts'
import { useOthersIn } from '#lib/events/presence.ts'
import { firstNameOf } from '#lib/initials.ts'
import { backToDraft, dayEditions } from './day-editions.ts'
import type { SlotColumn } from './slot-column.ts'
import { StartButton } from './start-button.tsx'

type Props = { day: CalendarDate; edition: DeskEdition | null; column: SlotColumn; isNext: boolean }

const nameList = new Intl.ListFormat('en')

/** One slot of the day: its state in words, its memos, and what can be done with it. */
export function SlotView({ day, edition, column, isNext }: Props) {
  const { label, status, statusText, headline, lines, percent, memos } = column
  return (
    <section aria-label={label} className="slot">
      <div className="slot-head">
        <p className="slot-label">
          <span>{label}</span>
          {status !== 'none' && (
            <span className={status === 'held' ? 'slot-status urgent' : 'slot-status'}>
              <span className={`mark mark-${status}`} aria-hidden="true" /> {statusText}
            </span>
          )}
        </p>
        <h2>{headline}</h2>
        {lines.map((line) => (
          <p key={line} className="slot-line">
            {line}
          </p>
        ))}
        {percent !== null && (
          <svg className="slot-progress" aria-hidden="true">
            <rect width="100%" height="100%" rx="1.5" />
            <rect width={`${percent}%`} height="100%" rx="1.5" />
          </svg>
        )}
      </div>
      {memos.length > 0 && (
        <ol className="slot-memos">
          {memos.map(({ id, title, note }) => (
            <li key={id}>
              {title === '' ? <i>No title yet</i> : <span>{title}</span>}
              <MemoNote id={id} note={note} />
            </li>
          ))}
        </ol>
      )}
      <SlotActions day={day} edition={edition} column={column} isNext={isNext} />
    </section>
  )
}

function MemoNote({ id, note }: { id: string; note: string }) {
  const names = useOthersIn([id]).map(({ name }) => firstNameOf(name))
  if (note === 'No alt text') return <span className="meta urgent">{note}</span>
  if (names.length === 0) return <span className="meta">{note}</span>
  return (
    <span className="meta">
      {nameList.format(names)} {names.length === 1 ? 'is' : 'are'} in it
    </span>
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
  const className = isNext ? 'filled' : 'slot-word slot-main'
  const [dialog, setDialog] = useState<{ start?: 'other' | 'now' } | null>(null)
  const opener = (
    text: string,
    { start, isMain = false }: { start?: 'other' | 'now'; isMain?: boolean } = {},
  ) => (
    <button
      type="button"
      className={isMain ? className : 'slot-word'}
      onClick={() => setDialog(start === undefined ? {} : { start })}
    >
      {text}
    </button>
  )
  return (
    <div className="actions">
      {status === 'none' && canWrite && <StartButton editionKey={key} className={className} />}
      {status === 'published' && (
        <Link to="/editions/$key/delivery" params={{ key }} className="slot-word slot-main">
          Delivery
        </Link>
      )}
      {status === 'held' && canPublish && opener('Publish now…', { start: 'now', isMain: true })}
      {status !== 'none' && !(status === 'held' && canPublish) && (
        <Link to="/editions/$key" params={{ key }} className={openClass(status, isNext)}>
          Open
        </Link>
      )}
      {canPublish && status === 'draft' && opener('Schedule…')}
      {canPublish && status === 'scheduled' && opener('Change the time')}
      {canPublish && status === 'held' && opener('Another time', { start: 'other' })}
      {(status === 'scheduled' || status === 'held') && canPublish && edition !== null && (
        <button
          type="button"
          className="slot-word"
          disabled={back.isPending}
          onClick={() => back.mutate(edition)}
        >
          Back to draft
        </button>
      )}
      {status === 'held' && canPublish && (
        <Link to="/editions/$key" params={{ key }} className="slot-word">
          Open
        </Link>
      )}
      {status === 'published' && (
        <a href={`/#/edition/${key}`} target="_blank" rel="noreferrer" className="slot-word">
          On the site
        </a>
      )}
      {back.isSuccess && status === 'draft' && <p role="status">Back to draft. Nothing is sent.</p>}
      {dialog !== null && edition !== null && (
        <PublishDialog edition={edition} {...dialog} onDone={() => setDialog(null)} />
      )}
      <Failure text={back.error?.message ?? null} canClose />
    </div>
  )
}

function openClass(status: SlotColumn['status'], isNext: boolean): string {
  if (isNext) return 'button filled'
  return status === 'published' ? 'slot-word' : 'slot-word slot-main'
}
