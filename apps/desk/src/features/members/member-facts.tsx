import type { DeskMember } from '@tidings/contracts/desk/members'
import { methodName } from '#features/delivery/delivery-counts.ts'
import { counted } from '#lib/counted.ts'
import { useZones } from '#lib/desk-context.ts'
import { useNow } from '#lib/time/use-now.ts'
import { dayIn } from '#lib/time/zoned-time.ts'
import { dateText, nearDay, obstacleText, priceText } from './member-words.ts'

/** The plan, the choices and the account of a member. */
export function MemberFacts({ member }: { member: DeskMember }) {
  const { site } = useZones()
  const today = dayIn(useNow(), site)
  const on = (instant: string) => dateText(dayIn(new Date(instant), site), today)
  const { methods, pausedUntil, createdAt, lastLogin, comments } = member
  const [first = 'Nothing', ...others] = methods.map(methodName)
  const lines = [
    obstacleText(member),
    pausedUntil === null ? '' : `Paused until ${on(`${pausedUntil}T20:00:00Z`)}.`,
  ]
  return (
    <div className="members-facts">
      <section aria-label="Plan">
        <h3>Plan</h3>
        {member.plans.length === 0 && <p className="members-fact">No plan</p>}
        {member.plans.map((plan) => (
          <Plan key={plan.id} plan={plan} on={on} />
        ))}
      </section>
      <section aria-label="Gets">
        <h3>Gets</h3>
        <p className="members-fact">{[first, ...others.map(lowerFirst)].join(', ')}</p>
        {lines.map((line) => line !== '' && <p key={line}>{line}</p>)}
        <p>Chosen by the member.</p>
      </section>
      <section aria-label="Account">
        <h3>Account</h3>
        <p className="members-fact">Since {on(createdAt)}</p>
        <p>
          {lastLogin === null
            ? 'Never signed in again.'
            : `Last signed in ${lowerFirst(nearDay(dayIn(new Date(lastLogin), site), today)).replace(/^(?=[A-Z])/, 'on ')}.`}
        </p>
        <p>{commentsText(comments)}</p>
      </section>
    </div>
  )
}

function Plan({ plan, on }: { plan: DeskMember['plans'][number]; on: (instant: string) => string }) {
  const { planName, active, payment } = plan
  return (
    <>
      <p className="members-fact">
        {planName}
        {payment !== null && `, ${priceText(payment.amount, payment.currency)}`}
      </p>
      {!active && <p>Not active.</p>}
      {payment !== null && (
        <p>
          {payment.lastBillingDate !== null && `Paid on ${on(payment.lastBillingDate)}. `}
          {payment.cancelAtDate !== null
            ? `Ends on ${on(payment.cancelAtDate)}.`
            : payment.nextBillingDate !== null && `Renews on ${on(payment.nextBillingDate)}.`}
        </p>
      )}
    </>
  )
}

function lowerFirst(text: string): string {
  return /^(Today|Yesterday|Text|Digest|Notification)/.test(text)
    ? text.charAt(0).toLowerCase() + text.slice(1)
    : text
}

function commentsText({ count, hidden, allHidden }: DeskMember['comments']): string {
  if (count === 0) return 'No comments.'
  const all = counted(count, 'comment')
  if (allHidden || hidden === count) return `${all}, all hidden.`
  return `${all}, ${hidden === 0 ? 'none' : hidden} hidden.`
}
