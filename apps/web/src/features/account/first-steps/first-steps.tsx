import '#features/account/first-steps/steps.css'
import { Link } from '@tanstack/react-router'
import { deliveryMethods, factsOf, methodsOf } from '@tidings/contracts/delivery/methods'
import { limits } from '@tidings/contracts/limits'
import type { Member } from '@tidings/contracts/membership/members'
import type { Phone } from '@tidings/contracts/membership/phone'
import { type ReactNode, useEffect, useRef } from 'react'
import { EmailAddress } from '#components/email-address.tsx'
import { type LateFocus, lateFocus } from '#components/late-focus.ts'
import { useGroupedNumber } from '#lib/phone/use-grouped-number.ts'
import { useConfirmationMail } from '../confirmations/confirmation-mail.ts'
import { EmailCodeForm, RequestEmail } from '../confirmations/email-code.tsx'
import { PhoneConfirmation } from '../confirmations/phone-confirmation.tsx'
import { usePhone } from '../confirmations/use-phone.ts'
import { MethodsForm } from './methods-form.tsx'
import { progressText } from './progress-text.ts'
import { areDone, maskedEmail, stepsOf } from './steps.ts'

type FirstStepsProps = {
  member: Member
  /** Leads to the switches of this screen; without it, the first step has its own. */
  onChoose?: () => void
  /** Leads on without the steps. */
  onLeave: () => void
}

/** The two steps between a payment and the first edition, each until it is done, and then the edition. */
export function FirstSteps({ member, onChoose, onLeave }: FirstStepsProps) {
  const steps = stepsOf(member)
  const { hasMethod, isConfirmed } = steps
  const { hasTexts, phone, isOpen } = usePhone(member)
  // The dashboard confirms the number beside its field.
  const asksNumber = onChoose === undefined && hasTexts
  const isNumberOpen = asksNumber && isOpen
  const hasNumber = phone?.state === 'verified'
  const isDone = areDone(steps) && !isNumberOpen
  const { element, isActing } = useFocusOnNext(
    `${hasMethod} ${isConfirmed} ${isNumberOpen} ${phone?.obstacle}`,
  )
  const acts = { onSubmit: () => isActing(true), onFailed: () => isActing(false) }

  return (
    <section ref={element} className="steps" aria-label="Your first edition">
      <p role="status" className="account-intro">
        {progressText(member, { phone, isNumberOpen })}
      </p>
      <ol>
        <Step title="How editions reach you" place={1} isDone={hasMethod} isCurrent={!hasMethod}>
          {hasMethod ? (
            <p className="account-detail">{methodNames(member)}</p>
          ) : onChoose === undefined ? (
            <MethodsForm member={member} {...acts} />
          ) : (
            <button type="button" className="link" onClick={onChoose}>
              Choose below
            </button>
          )}
        </Step>
        <Step title="Your email address" place={2} isDone={isConfirmed} isCurrent={hasMethod && !isConfirmed}>
          {isConfirmed ? (
            <p className="account-detail">
              <EmailAddress email={member.auth.email} /> is confirmed.
            </p>
          ) : (
            <CodeStep key={member.id} member={member} {...acts} />
          )}
        </Step>
        {asksNumber ? (
          <Step
            title="Your phone number"
            place={3}
            isDone={hasNumber}
            isCurrent={isNumberOpen && hasMethod && isConfirmed}
          >
            {hasNumber ? (
              <ConfirmedNumber phone={phone} />
            ) : (
              <PhoneConfirmation member={member} field="in your account" {...acts} />
            )}
          </Step>
        ) : null}
      </ol>
      {isDone ? (
        <Link to="/home" className="button">
          Read today’s edition
        </Link>
      ) : null}
      {isDone && onChoose !== undefined ? null : (
        <button type="button" className="link" onClick={onLeave}>
          {isDone ? 'Account' : 'Not now'}
        </button>
      )}
    </section>
  )
}

function methodNames({ customFields }: Member): string {
  const methods = methodsOf(customFields)
  const labels = deliveryMethods
    .filter((method) => methods.has(method))
    .map((method) => factsOf(method).label)
  return labels.join(', ')
}

type StepProps = { title: string; place: number; isDone: boolean; isCurrent: boolean; children: ReactNode }

function Step({ title, place, isDone, isCurrent, children }: StepProps) {
  return (
    <li data-done={isDone} aria-current={isCurrent ? 'step' : undefined}>
      <h2>
        <span className="step-mark" aria-hidden="true">
          {isDone ? '✓' : place}
        </span>
        {isDone ? <span className="visually-hidden">Done: </span> : null}
        {title}
      </h2>
      {children}
    </li>
  )
}

function ConfirmedNumber({ phone }: { phone: Phone }) {
  const number = useGroupedNumber(phone.number)
  return <p className="account-detail">We text editions to {number}.</p>
}

type CodeStepProps = { member: Member; onSubmit: () => void; onFailed: () => void }

/** Takes the code that sign-up has emailed, or that of a new email. */
function CodeStep({ member, onSubmit, onFailed }: CodeStepProps) {
  const { email } = member.auth
  const mail = useConfirmationMail(member)
  const element = useRef<HTMLDivElement>(null)
  const shown = <EmailAddress email={maskedEmail(email)} />
  return (
    <div ref={element}>
      <p>
        {mail.isExpired ? (
          <>
            Codes work for {limits.shortCodeMinutes} minutes. If yours is older, send a new one to {shown}.
          </>
        ) : (
          <>We emailed a code to {shown}. Enter it here, or open the email’s link.</>
        )}
      </p>
      <EmailCodeForm email={email} onSubmit={onSubmit} onFailed={onFailed} />
      {/* The button that had the focus is gone. */}
      <RequestEmail
        mail={mail}
        isAgain
        onSent={(moveFocus) => moveFocus(element.current?.querySelector('input'))}
      />
    </div>
  )
}

/** Moves the focus to what comes next once the member's own action has finished a step, and at no other time. */
function useFocusOnNext(stage: string) {
  const element = useRef<HTMLElement>(null)
  const moveFocus = useRef<LateFocus>(null)
  useEffect(() => {
    if (moveFocus.current === null || stage === '') return
    const next = element.current?.querySelector<HTMLElement>('[aria-current] :is(input, button), a.button')
    // The next step's data may still be on its way.
    if (next == null) return
    moveFocus.current(next)
    moveFocus.current = null
  }, [stage])
  return {
    element,
    isActing(value: boolean) {
      moveFocus.current = value ? lateFocus() : null
    },
  }
}
