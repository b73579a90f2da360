import './publish.css'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import type { DeskEdition } from '@tidings/contracts/desk/editions'
import { useEffect, useRef, useState } from 'react'
import { Failure } from '#components/failure.tsx'
import { ApiError } from '#lib/api/call.ts'
import { newId } from '#lib/browser/ambient.ts'
import { printedKeys } from '#lib/browser/key-names.ts'
import { useDialogKeys } from '#lib/browser/use-keys.ts'
import { useDeskConfig, useZones } from '#lib/desk-context.ts'
import { useNow } from '#lib/time/use-now.ts'
import { dayText } from '#lib/time/zoned-time.ts'
import { ChangedNotice } from './changed-notice.tsx'
import { obstaclesOf, warningsOf } from './look-at.ts'
import { LookAtList } from './look-at-list.tsx'
import { carryOut, type Deed, readinessOf } from './publish-calls.ts'
import { deedOf, firstChoice, instantOf, isSentByDefault, refusalOf, timesOf } from './publish-times.ts'
import { RecipientsTable } from './recipients-table.tsx'
import { currentOf } from './stale-edition.ts'
import { SubjectField } from './subject-field.tsx'
import { unsavedSubject, useTypedSubject } from './typed-subject.ts'
import { WhenField } from './when-field.tsx'

type Props = {
  edition: DeskEdition
  /** The choice to begin with, if it isn't the usual one. */
  start?: 'other' | 'now'
  /** Called when the dialog closes, whether or not it changed the edition. */
  onDone: () => void
}

/** Schedules or publishes an edition as it was when the dialog opened. */
export function PublishDialog({ edition, start, onDone }: Props) {
  const dialog = useRef<HTMLDialogElement>(null)
  const queryClient = useQueryClient()
  const [seen, setSeen] = useState(edition)
  const [refused, setRefused] = useState<DeskEdition | null>(null)
  useEffect(() => dialog.current?.showModal(), [])
  const news = [edition, refused].find((each) => each !== null && each.version > seen.version) ?? null
  const done = () => {
    void queryClient.invalidateQueries({ queryKey: ['editions'] })
    void queryClient.invalidateQueries({ queryKey: ['delivery'] })
    onDone()
  }
  return (
    <dialog ref={dialog} aria-labelledby="publish-title" className="publish" onClose={onDone}>
      <PublishForm
        seen={seen}
        news={news}
        start={start}
        onLook={setSeen}
        onRefused={setRefused}
        onDone={done}
        onCancel={onDone}
      />
    </dialog>
  )
}

type FormProps = {
  seen: DeskEdition
  news: DeskEdition | null
  start: 'other' | 'now' | undefined
  onLook: (edition: DeskEdition) => void
  onRefused: (current: DeskEdition) => void
  onDone: () => void
  onCancel: () => void
}

function PublishForm({ seen, news, start, onLook, onRefused, onDone, onCancel }: FormProps) {
  const { slots } = useDeskConfig()
  const zone = useZones().site
  const now = useNow()
  const times = timesOf(seen, { slots, zone })
  const [choice, setChoice] = useState(() => {
    const usual = firstChoice(seen, times, now)
    return start === undefined ? usual : { ...usual, when: start }
  })
  const [chosenSent, setChosenSent] = useState<boolean | null>(null)
  const readiness = useQuery(readinessOf(seen.key, seen.version))
  const byDefault = isSentByDefault(seen, choice, times, now)
  const isSent = chosenSent ?? byDefault
  // Without a choice of the editor, the server knows best whether the edition was sent before.
  const deliver = isSent === byDefault ? undefined : isSent
  const deed = useDeed(seen, { onDone, onRefused })
  const refusal = refusalOf(choice, times, now)
  const obstacles = readiness.data === undefined ? [] : obstaclesOf(readiness.data)
  const isPossible =
    readiness.data !== undefined && obstacles.length === 0 && refusal === null && news === null
  function submit() {
    if (!isPossible) return
    const at = choice.when === 'other' ? instantOf(choice, times)?.toISOString() : undefined
    deed.mutate({ edition: seen, publishAt: choice.when === 'now' ? null : at, deliver })
  }
  useDialogKeys({ 'mod+enter': submit })
  const title = useRef<HTMLHeadingElement>(null)
  return (
    <form
      className="publish-form"
      onSubmit={(event) => {
        event.preventDefault()
        submit()
      }}
    >
      <h2 id="publish-title" ref={title} tabIndex={-1}>
        {choice.when === 'now' ? 'Publish' : 'Schedule'} {seen.slot} of {dayText(times.day)}
      </h2>
      <WhenField choice={choice} times={times} isSent={isSent} onChange={setChoice} />
      {refusal !== null && <Failure text={refusal} />}
      {readiness.data === undefined ? (
        <ReadinessState error={readiness.error} onRetry={() => void readiness.refetch()} />
      ) : (
        <>
          <RecipientsTable edition={seen} readiness={readiness.data} isSent={isSent} />
          <div className="publish-row">
            <label className="publish-check">
              <input
                type="checkbox"
                checked={isSent}
                onChange={({ target }) => setChosenSent(target.checked)}
              />
              Send it to members
            </label>
            <SubjectField edition={seen} onSaved={onLook} onRefused={onRefused} />
          </div>
          <LookAtList
            edition={seen}
            obstacles={obstacles}
            warnings={warningsOf(readiness.data, seen, isSent)}
            isChecking={readiness.data.isChecking}
          />
        </>
      )}
      <div className="publish-foot">
        {news !== null && (
          <ChangedNotice
            seen={seen}
            current={news}
            onLook={(current) => {
              onLook(current)
              title.current?.focus()
            }}
          />
        )}
        <Failure
          text={news === null ? deed.failure : null}
          title={
            deed.isRefused
              ? `${seen.slot} was not ${choice.when === 'now' ? 'published' : 'scheduled'}.`
              : undefined
          }
          canClose
        />
        <div className="publish-deed">
          <button type="submit" className="filled" disabled={!isPossible || deed.isPending}>
            {deedOf(choice, times)}
          </button>
          <button type="button" className="words" onClick={onCancel}>
            Cancel
          </button>
          <kbd>{printedKeys('mod+enter').join(' ')}</kbd>
        </div>
      </div>
    </form>
  )
}

function ReadinessState({ error, onRetry }: { error: Error | null; onRetry: () => void }) {
  if (error === null) {
    return (
      <p role="status" className="loading">
        Counting who gets it…
      </p>
    )
  }
  return (
    <div className="failed-read">
      <Failure text={error.message} />
      <button type="button" onClick={onRetry}>
        Try again
      </button>
    </div>
  )
}

const statusNames = { draft: 'a draft', scheduled: 'scheduled', held: 'held', published: 'public' } as const

/**
 * Carries out what the editor chose, with the subject that isn't saved yet. A repetition after a lost reply has the same
 * key, so that it happens once.
 */
function useDeed(
  seen: DeskEdition,
  { onDone, onRefused }: { onDone: () => void; onRefused: (current: DeskEdition) => void },
) {
  const [typed, setTyped] = useTypedSubject(seen)
  const sent = useRef({ request: '', id: '' })
  // A second click can come before the button is disabled.
  const isRunning = useRef(false)
  const { error, isPending, mutate } = useMutation({
    async mutationFn(deed: Deed) {
      const { edition, publishAt, deliver, subject } = deed
      const request = JSON.stringify([edition.version, publishAt, deliver, subject])
      if (sent.current.request !== request) sent.current = { request, id: newId() }
      return await carryOut(deed, sent.current.id)
    },
    onSuccess() {
      setTyped(null)
      onDone()
    },
    onSettled() {
      isRunning.current = false
    },
    onError(failure) {
      // A refused request may succeed later, so it must not repeat the refusal.
      if (failure instanceof ApiError) sent.current = { request: '', id: '' }
      const current = currentOf(failure)
      if (current !== null) onRefused(current)
    },
  })
  const isKnown = error instanceof ApiError && error.status < 500
  const failure =
    error === null || !isKnown
      ? (error?.message ?? null)
      : `${error.message} It is still ${statusNames[seen.status]}, and nothing is sent.`
  const carryOutOnce = (deed: Omit<Deed, 'subject'>) => {
    if (isRunning.current) return
    isRunning.current = true
    mutate({ ...deed, subject: unsavedSubject(typed, seen) })
  }
  return { failure, isRefused: isKnown, isPending, mutate: carryOutOnce }
}
