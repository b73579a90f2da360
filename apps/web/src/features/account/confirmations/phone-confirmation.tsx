import { type QueryKey, useQueryClient } from '@tanstack/react-query'
import { limits } from '@tidings/contracts/limits'
import type { Member } from '@tidings/contracts/membership/members'
import type { Phone } from '@tidings/contracts/membership/phone'
import { siteMessages } from '@tidings/contracts/site/site-messages'
import { useEffect, useRef, useState } from 'react'
import { type LateFocus, lateFocus } from '#components/late-focus.ts'
import { useGroupedNumber } from '#lib/phone/use-grouped-number.ts'
import { useServices } from '#lib/services/services.tsx'
import { detailsOf } from '../details/account-details.ts'
import { CodeForm } from './code-form.tsx'
import { useConfirmationText } from './confirmation-text.ts'
import { keptText, missingText, type NumberField } from './phone-sentences.ts'
import { RequestCode } from './request-code.tsx'
import { phoneKey, usePhone } from './use-phone.ts'

type PhoneConfirmationProps = {
  member: Member
  /** Where the member changes the number. */
  field: NumberField
  onSubmit?: () => void
  onFailed?: () => void
}

/** Says what editions by text still need: a number, or the code that confirms it. */
export function PhoneConfirmation({ member, ...props }: PhoneConfirmationProps) {
  const { phone, queryKey } = usePhone(member)
  if (phone === undefined) return null
  return (
    <PhoneNote
      key={`${member.id} ${detailsOf(member).phone}`}
      memberId={member.id}
      phone={phone}
      queryKey={queryKey}
      {...props}
    />
  )
}

type PhoneNoteProps = Omit<PhoneConfirmationProps, 'member'> & {
  memberId: string
  phone: Phone
  queryKey: QueryKey
}

function PhoneNote({ phone, field, ...props }: PhoneNoteProps) {
  const { state, obstacle } = phone
  const number = useGroupedNumber(phone.number)
  const [isConfirmed, setConfirmed] = useState(false)
  if (state === 'verified') {
    const kept = obstacle === null ? null : keptText(obstacle)
    if (!isConfirmed && kept === null) return null
    return (
      <div className="account-note">
        {isConfirmed ? <p role="status">Your number is confirmed. We text editions to {number}.</p> : null}
        {kept === null ? null : (
          <p>
            We text editions to {number}. {kept}
          </p>
        )}
      </div>
    )
  }
  if (number === null || obstacle !== null) {
    return (
      <div className="account-note">
        <p role="status">{missingText({ ...phone, number }, field)}</p>
      </div>
    )
  }
  return <NumberCode number={number} onConfirmed={() => setConfirmed(true)} {...props} />
}

const texts = {
  ask: 'Text me a code',
  askAgain: 'Send a new code',
  onItsWay: 'No text yet? In a minute you can send a new code.',
  sentAgain: 'We sent another code. Only the newest one works.',
}

type NumberCodeProps = Omit<PhoneNoteProps, 'phone' | 'field'> & { number: string; onConfirmed: () => void }

/** Texts a code, below the words that the member agrees to, and takes it. */
function NumberCode({ memberId, number, queryKey, onConfirmed, onSubmit, onFailed }: NumberCodeProps) {
  const { memberSession } = useServices()
  const queryClient = useQueryClient()
  const text = useConfirmationText(memberId, number)
  // The code form stays when the code expires.
  const [isAsked, setAsked] = useState(!text.isExpired)
  const [sending, setSending] = useState<{ moveFocus: LateFocus } | null>(null)
  const section = useRef<HTMLElement>(null)
  // The button that had the focus is gone.
  useEffect(() => sending?.moveFocus(section.current?.querySelector('input')), [sending])

  async function send(): Promise<void> {
    const moveFocus = lateFocus()
    const { data } = await (await memberSession.getClient()).sendPhoneCode()
    if (data.state === 'verified') return await queryClient.invalidateQueries({ queryKey: phoneKey })
    text.remember()
    setAsked(true)
    setSending({ moveFocus })
  }

  async function verify(code: string): Promise<void> {
    onSubmit?.()
    try {
      const { timeZone } = new Intl.DateTimeFormat().resolvedOptions()
      const { data } = await (await memberSession.getClient()).verifyPhone({ code, timeZone })
      onConfirmed()
      queryClient.setQueryData(queryKey, data)
    } catch (error) {
      onFailed?.()
      throw error
    }
  }

  return (
    <section ref={section} className="account-note" aria-label="Confirm your number">
      <p role="status">
        {!isAsked
          ? `To receive texts, confirm that ${number} is yours.`
          : text.isExpired
            ? `Codes work for ${limits.shortCodeMinutes} minutes. If yours is older, send a new one to ${number}.`
            : `We texted a code to ${number}. It works for ${limits.shortCodeMinutes} minutes.`}
      </p>
      {isAsked ? (
        <CodeForm formId="phone-code" verify={verify} />
      ) : (
        <p className="account-intro">{siteMessages.smsConsent}</p>
      )}
      <RequestCode
        formId="phone-request"
        texts={texts}
        isAgain={isAsked}
        isOnItsWay={text.isOnItsWay}
        onSend={send}
      />
    </section>
  )
}
