import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { Link, useSearch } from '@tanstack/react-router'
import type { DeskMember } from '@tidings/contracts/desk/members'
import { useState } from 'react'
import { Failure } from '#components/failure.tsx'
import { Modal } from '#components/modal.tsx'
import { useZones } from '#lib/desk-context.ts'
import { useNow } from '#lib/time/use-now.ts'
import { dayIn } from '#lib/time/zoned-time.ts'
import { liftSuppression, memberQuery } from './member-calls.ts'
import { MemberDeliveries } from './member-deliveries.tsx'
import { MemberFacts } from './member-facts.tsx'
import { dateText, memberName } from './member-words.ts'

/** One member. Only the suppression can be changed: everything else is the member's. */
export function MemberPage({ id }: { id: string }) {
  const search = useSearch({ from: '/frame/members' })
  const { data: member, error, refetch } = useQuery(memberQuery(id))
  if (member === undefined) {
    if (error === null) {
      return (
        <p role="status" className="loading">
          Loading the member…
        </p>
      )
    }
    return (
      <div className="failed-read">
        <Failure text={error.message} />
        <button type="button" onClick={() => void refetch()}>
          Try again
        </button>
      </div>
    )
  }
  const { email, verified, phone } = member
  return (
    <>
      <Link to="/members" search={search} className="members-back">
        ‹ Members
      </Link>
      <header className="members-head">
        <h2>{memberName(member)}</h2>
        <p>
          {email}, {verified ? 'verified' : 'not verified'}
          {phone !== null && ` · ${phone.number}, ${phone.verified ? 'verified' : 'not verified'}`} · {id}
        </p>
      </header>
      <MemberFacts member={member} />
      <Suppressions member={member} />
      <MemberDeliveries member={member} />
    </>
  )
}

function Suppressions({ member }: { member: DeskMember }) {
  const [asks, setAsks] = useState(false)
  const queryClient = useQueryClient()
  const { site } = useZones()
  const today = dayIn(useNow(), site)
  const lift = useMutation({
    mutationFn: () => liftSuppression(member.id),
    onSuccess(lifted) {
      queryClient.setQueryData(memberQuery(member.id).queryKey, lifted)
      setAsks(false)
    },
  })
  return (
    <>
      {member.suppressions.map(({ to, kind, reason, since }) => (
        <div key={to} className="members-strip">
          <span className="mark mark-held" aria-hidden="true" />
          <p>
            <b>
              This {to === 'email' ? 'address' : 'number'} is suppressed since{' '}
              {dateText(dayIn(new Date(since), site), today)}.
            </b>{' '}
            {becauseOf(kind, to)}
            {reason === '' ? '.' : `: “${reason}”.`}{' '}
            {to === 'email'
              ? 'It gets no email until this is lifted or the member confirms it again.'
              : 'Its owner lifts this with START, or by verifying the number again.'}
          </p>
          {to === 'email' && (
            <button type="button" onClick={() => setAsks(true)}>
              Lift suppression
            </button>
          )}
        </div>
      ))}
      <p role="status" className="members-lifted">
        {lift.isSuccess && 'The suppression is lifted. Emails go to this address again.'}
      </p>
      {asks && (
        <Modal title="Send to this address again?" close={() => setAsks(false)}>
          <p>
            {member.email} gets emails again, from the next edition on. If it bounces again, it is suppressed
            again.
          </p>
          <Failure text={lift.error?.message ?? null} canClose />
          <div className="actions">
            <button type="button" className="filled" disabled={lift.isPending} onClick={() => lift.mutate()}>
              Lift suppression
            </button>
            <button type="button" className="plain" onClick={() => setAsks(false)}>
              Cancel
            </button>
          </div>
        </Modal>
      )}
    </>
  )
}

function becauseOf(kind: 'bounce' | 'complaint', to: 'email' | 'phone'): string {
  if (to === 'phone') return 'It refuses our texts'
  return kind === 'bounce' ? 'A mail bounced' : 'The member reported a mail as spam'
}
