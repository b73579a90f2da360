import { useQuery, useQueryClient } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { MemberDeliveries } from '@tidings/contracts/deliveries'
import type { Member } from '@tidings/contracts/membership/members'
import { messages } from '@tidings/contracts/membership/messages'
import { type FormEvent, type RefObject, useRef, useState } from 'react'
import { flushSync } from 'react-dom'
import { TextField } from '#components/forms/text-field.tsx'
import { useSubmission } from '#components/forms/use-submission.ts'
import { StatusLine } from '#components/status-line.tsx'
import { errorText } from '#lib/api/error-text.ts'
import { formatDay, localDate } from '#lib/calendar.ts'
import { useServices } from '#lib/services.tsx'
import { AccountSection } from '../account-section.tsx'
import {
  deliveryState,
  deliveryTitle,
  earliestPauseEnd,
  latestPauseEndOn,
  nextDeliveryText,
  parseIsoDay,
  type RecentDelivery,
} from './delivery-texts.ts'
import { deliveriesOf } from './member-deliveries.ts'
import { PdfPages } from './pdf-pages.tsx'

const shownAtFirst = 3

/** What was sent to a member, what comes next, the pages of PDFs, and a pause. */
export function DeliveriesSection({ member }: { member: Member }) {
  const { memberSession, clock } = useServices()
  const { data, error, refetch } = useQuery(deliveriesOf(memberSession, member))
  const heading = useRef<HTMLHeadingElement>(null)
  if (data === undefined) {
    return (
      <AccountSection title="Deliveries">
        <p role="status">{error === null ? messages.loading : errorText(error)}</p>
        {error === null ? null : (
          <button type="button" className="link" onClick={() => void refetch()}>
            Try again
          </button>
        )}
      </AccountSection>
    )
  }
  return (
    <AccountSection title="Deliveries" headingRef={heading}>
      <p>{nextDeliveryText(data, clock.now())}</p>
      <RecentDeliveries recent={data.recent} />
      <PdfPages member={member} stored={data.pdfFormat} />
      <Pause member={member} deliveries={data} heading={heading} />
    </AccountSection>
  )
}

function RecentDeliveries({ recent }: { recent: readonly RecentDelivery[] }) {
  const { clock } = useServices()
  const [isWhole, setWhole] = useState(false)
  if (recent.length === 0) return null
  const now = clock.now()
  const shown = isWhole ? recent : recent.slice(0, shownAtFirst)
  return (
    <>
      <ul className="account-rows" aria-label="Last deliveries">
        {shown.map((delivery) => (
          <li key={`${delivery.edition ?? delivery.digest} ${delivery.method}`}>
            <div>
              <p>
                {delivery.edition === null ? (
                  deliveryTitle(delivery, now)
                ) : (
                  <Link to="/edition/$timestamp" params={{ timestamp: delivery.edition }}>
                    {deliveryTitle(delivery, now)}
                  </Link>
                )}
              </p>
              <p className="account-detail">{deliveryState(delivery)}</p>
            </div>
          </li>
        ))}
      </ul>
      {shown.length < recent.length ? (
        <div className="section-actions">
          <button type="button" className="link" onClick={() => setWhole(true)}>
            Show the last {recent.length}
          </button>
        </div>
      ) : null}
    </>
  )
}

type PauseProps = {
  member: Member
  deliveries: MemberDeliveries
  /** Gets the focus when the button that had it is gone. */
  heading: RefObject<HTMLHeadingElement | null>
}

function Pause({ member, deliveries, heading }: PauseProps) {
  const { memberSession, clock, config } = useServices()
  const queryClient = useQueryClient()
  const latest = latestPauseEndOn(clock.now(), config.timeZone)
  const submission = useSubmission('pause', { day: { problemOf: dayProblem } })
  const { isBusy, message } = submission
  const [isOpen, setOpen] = useState(false)
  const [day, setDay] = useState('')
  const { pausedUntil, next } = deliveries

  function dayProblem(text: string): string | null {
    if (text < earliestPauseEnd(clock.now())) return 'Choose a day from tomorrow on.'
    if (text <= latest) return null
    return `A pause lasts until ${formatDay(parseIsoDay(latest), localDate(clock.now()))} at most.`
  }

  function open() {
    flushSync(() => setOpen(true))
    document.getElementById(submission.field('day').id)?.focus()
  }

  function close() {
    setOpen(false)
    heading.current?.focus()
  }

  function pause(until: string | null, text: string) {
    void submission.run(async () => {
      const { data } = await (await memberSession.getClient()).pauseDeliveries({ pausedUntil: until })
      queryClient.setQueryData(deliveriesOf(memberSession, member).queryKey, data)
      close()
      return { text }
    })
  }

  function submit(event: FormEvent) {
    event.preventDefault()
    const problem = dayProblem(day)
    if (problem === null) return pause(day, 'Deliveries are paused.')
    submission.refuse(day > latest ? 'Choose an earlier day.' : 'Choose a later day.', { day: problem })
  }

  return (
    <>
      {isOpen && pausedUntil === null ? (
        <form className="pause-form" onSubmit={submit} noValidate>
          <TextField
            {...submission.input('day', day, setDay)}
            label="Continue on"
            type="date"
            min={earliestPauseEnd(clock.now())}
            max={latest}
          />
          <div className="section-actions">
            <button type="submit" className="link" aria-disabled={isBusy}>
              {isBusy ? messages.pleaseWait : 'Pause until then'}
            </button>
            <button type="button" className="link" onClick={close}>
              Cancel
            </button>
          </div>
        </form>
      ) : (
        <div className="section-actions">
          {pausedUntil !== null ? (
            <button
              type="button"
              className="link"
              aria-disabled={isBusy}
              onClick={() => pause(null, 'Deliveries continue.')}
            >
              {isBusy ? messages.pleaseWait : 'Continue now'}
            </button>
          ) : next === null ? null : (
            <button type="button" className="link" onClick={open}>
              Pause deliveries
            </button>
          )}
        </div>
      )}
      {message === null || isBusy ? null : (
        <StatusLine id={submission.messageId} message={message} onExpired={submission.expireMessage} />
      )}
    </>
  )
}
