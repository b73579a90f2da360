import './publish.css'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import type { DeskEdition } from '@tidings/contracts/desk/editions'
import { parseEditionKey } from '@tidings/contracts/edition-key'
import { type ReactNode, useEffect, useRef, useState } from 'react'
import { Failure } from '#components/failure.tsx'
import { TestDialog } from '#features/test-send/test-dialog.tsx'
import { printedKeys } from '#lib/browser/key-names.ts'
import { useIsPhone } from '#lib/browser/use-is-phone.ts'
import { useDialogKeys } from '#lib/browser/use-keys.ts'
import { useDeskConfig, useZones } from '#lib/desk-context.ts'
import { statusWords } from '#lib/status-words.ts'
import { useNow } from '#lib/time/use-now.ts'
import { dayText } from '#lib/time/zoned-time.ts'
import { ChangedNotice } from './changed-notice.tsx'
import { obstaclesOf, type Readiness, warningsOf } from './look-at.ts'
import { LookAtList } from './look-at-list.tsx'
import { readinessOf } from './publish-calls.ts'
import { deedOf, firstChoice, instantOf, isSentByDefault, refusalOf, timesOf } from './publish-times.ts'
import { RecipientsTable } from './recipients-table.tsx'
import { SubjectField } from './subject-field.tsx'
import { unsavedSubject, useTypedSubject } from './typed-subject.ts'
import { useDeed } from './use-deed.ts'
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
  const [isTesting, setTesting] = useState(false)
  const day = parseEditionKey(seen.key)?.date
  const [typed] = useTypedSubject(seen)
  const news = [edition, refused].find((each) => each !== null && each.version > seen.version) ?? null
  const done = () => {
    void queryClient.invalidateQueries({ queryKey: ['editions'] })
    void queryClient.invalidateQueries({ queryKey: ['delivery'] })
    onDone()
  }
  return (
    <>
      <dialog ref={dialog} aria-labelledby="publish-title" className="publish" onClose={onDone}>
        <PublishForm
          seen={seen}
          news={news}
          start={start}
          isTesting={isTesting}
          onTest={() => setTesting(true)}
          onLook={setSeen}
          onRefused={setRefused}
          onDone={done}
          onCancel={onDone}
        />
      </dialog>
      {isTesting && day !== undefined && (
        <TestDialog
          slot={seen.slot}
          edition={{ day, unsaved: { edition: seen.key, subject: unsavedSubject(typed, seen) } }}
          first="memo-email"
          close={() => setTesting(false)}
        />
      )}
    </>
  )
}

type FormProps = {
  seen: DeskEdition
  news: DeskEdition | null
  start: 'other' | 'now' | undefined
  /** Whether the dialog of a test is above this one. */
  isTesting: boolean
  onTest: () => void
  onLook: (edition: DeskEdition) => void
  onRefused: (current: DeskEdition) => void
  onDone: () => void
  onCancel: () => void
}

function PublishForm({ seen, news, isTesting, onTest, onLook, onRefused, ...props }: FormProps) {
  const { start, onDone, onCancel } = props
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
  useDialogKeys({ 'mod+enter': isTesting ? undefined : submit })
  const title = useRef<HTMLHeadingElement>(null)
  const isPhone = useIsPhone()
  const cancel = (
    <button type="button" className="words" onClick={onCancel}>
      Cancel
    </button>
  )
  return (
    <form
      className="publish-form"
      onSubmit={(event) => {
        event.preventDefault()
        submit()
      }}
    >
      {isPhone && <PhoneTop edition={seen}>{cancel}</PhoneTop>}
      <h2 id="publish-title" ref={title} tabIndex={-1}>
        {choice.when === 'now' ? 'Publish' : 'Schedule'} {seen.slot} of {dayText(times.day)}
      </h2>
      <WhenField choice={choice} times={times} isSent={isSent} onChange={setChoice} />
      {refusal !== null && <Failure text={refusal} />}
      {readiness.data === undefined ? (
        <ReadinessState error={readiness.error} onRetry={() => void readiness.refetch()} />
      ) : (
        <CheckedEdition
          edition={seen}
          readiness={readiness.data}
          isSent={isSent}
          onSent={setChosenSent}
          onLook={onLook}
          onRefused={onRefused}
        />
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
          {seen.memos.length > 0 && (
            <button type="button" className="words" onClick={onTest}>
              Send a test first
            </button>
          )}
          {!isPhone && cancel}
          <kbd>{printedKeys('mod+enter').join(' ')}</kbd>
        </div>
      </div>
    </form>
  )
}

function PhoneTop({ edition, children }: { edition: DeskEdition; children: ReactNode }) {
  const words = statusWords(edition, { now: useNow(), zone: useZones().site })
  return (
    <div className="publish-top">
      {children}
      <span className="meta">{words.join(' ')}</span>
    </div>
  )
}

type CheckedProps = Pick<FormProps, 'onLook' | 'onRefused'> & {
  edition: DeskEdition
  readiness: Readiness
  isSent: boolean
  onSent: (isSent: boolean) => void
}

/** Shows who gets the edition, its subject, and what to look at first. */
function CheckedEdition({ edition, readiness, isSent, onSent, onLook, onRefused }: CheckedProps) {
  return (
    <>
      <RecipientsTable edition={edition} readiness={readiness} isSent={isSent} />
      <div className="publish-row">
        <label className="publish-check">
          <input type="checkbox" checked={isSent} onChange={({ target }) => onSent(target.checked)} />
          Send it to members
        </label>
        <SubjectField edition={edition} onSaved={onLook} onRefused={onRefused} />
      </div>
      <LookAtList
        edition={edition}
        obstacles={obstaclesOf(readiness)}
        warnings={warningsOf(readiness, edition, isSent)}
        isChecking={readiness.isChecking}
      />
    </>
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
