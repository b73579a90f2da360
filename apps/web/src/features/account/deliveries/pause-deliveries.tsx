import { useQueryClient } from '@tanstack/react-query'
import type { MemberDeliveries } from '@tidings/contracts/membership/deliveries'
import type { Member } from '@tidings/contracts/membership/members'
import { messages } from '@tidings/contracts/membership/messages'
import { type FormEvent, type RefObject, useState } from 'react'
import { flushSync } from 'react-dom'
import { TextField } from '#components/forms/text-field.tsx'
import { useSubmission } from '#components/forms/use-submission.ts'
import { StatusLine } from '#components/status-line.tsx'
import { formatDay, localDate } from '#lib/format/calendar.ts'
import { useServices } from '#lib/services/services.tsx'
import { earliestPauseEnd, latestPauseEndOn, parseIsoDay } from './delivery-sentences.ts'
import { deliveriesOf } from './member-deliveries.ts'

type PauseDeliveriesProps = {
  member: Member
  deliveries: MemberDeliveries
  /** Gets the focus when the button that had it is gone. */
  heading: RefObject<HTMLHeadingElement | null>
}

/** Pauses all deliveries until a day, and ends the pause. */
export function PauseDeliveries({ member, deliveries, heading }: PauseDeliveriesProps) {
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
    // The field says what is wrong.
    submission.refuse('', { day: problem })
  }

  return (
    <>
      {isOpen && pausedUntil === null ? (
        <form className="pause-form" onSubmit={submit} noValidate>
          <TextField
            {...submission.input('day', day, setDay)}
            isAlert
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
      {message === null || message.text === '' || isBusy ? null : (
        <StatusLine id={submission.messageId} message={message} onExpired={submission.expireMessage} />
      )}
    </>
  )
}
