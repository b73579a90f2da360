import { type QueryKey, useQuery, useQueryClient } from '@tanstack/react-query'
import { methodsOf, textMethods } from '@tidings/contracts/delivery/methods'
import { limits } from '@tidings/contracts/limits'
import type { Member } from '@tidings/contracts/membership/members'
import { messages } from '@tidings/contracts/membership/messages'
import type { Phone } from '@tidings/contracts/membership/phone'
import { siteMessages } from '@tidings/contracts/site-messages'
import { useState } from 'react'
import { CodeField } from '#components/forms/code-field.tsx'
import { codeCheck } from '#components/forms/field-checks.ts'
import { Form } from '#components/forms/form.tsx'
import { type Outcome, useSubmission } from '#components/forms/use-submission.ts'
import { StatusLine } from '#components/status-line.tsx'
import { memberKey } from '#lib/member-session/member-queries.ts'
import { useGroupedNumber } from '#lib/phone/use-grouped-number.ts'
import { useServices } from '#lib/services.tsx'
import { deliveriesKey } from '../deliveries/member-deliveries.ts'
import { detailsOf } from '../details/account-details.ts'
import { codeErrors } from '../details/field-errors.ts'

const phoneKey = [memberKey, 'phone'] as const

/** Says what editions by text still need: a number, or the code that confirms it. */
export function PhoneConfirmation({ member }: { member: Member }) {
  const { memberSession } = useServices()
  const methods = methodsOf(member.customFields)
  const { phone: typed } = detailsOf(member)
  const isOn = textMethods.some((method) => methods.has(method))
  const queryKey = [...phoneKey, typed, member.verified]
  const { data: phone } = useQuery({
    queryKey,
    // Logging out resets it while the screen is still there.
    enabled: () => isOn && memberSession.isLoggedIn(),
    staleTime: 0,
    queryFn: async () => (await (await memberSession.getClient()).getPhone()).data,
  })
  if (!isOn || phone === undefined) return null
  return <PhoneNote key={typed} phone={phone} queryKey={queryKey} />
}

/** What a member with a confirmed number should know before changing it. */
const keptTexts: Record<NonNullable<Phone['obstacle']>, string | null> = {
  'country-not-served':
    'We no longer confirm numbers from this country, so keep it: a new number must be from one of the countries above.',
  'not-mobile':
    'We no longer confirm numbers of this kind, so keep it: a new number must be a mobile number.',
  'email-not-verified': null,
}

/** Says what a member must do before a code can be texted. */
function missingText({ number, state, obstacle }: Phone): string {
  if (number === null) {
    return state === 'missing'
      ? 'To receive texts, add your mobile number above.'
      : 'To receive texts, correct your phone number above.'
  }
  switch (obstacle) {
    case 'country-not-served':
      return `We don’t text numbers from the country of ${number}. To receive texts, enter a number from one of the countries above.`
    case 'not-mobile':
      return `${number} isn’t a mobile number. To receive texts, enter a mobile number above.`
    default:
      return `To receive texts, first confirm your email address above. Then we can text a code to ${number}.`
  }
}

function PhoneNote({ phone, queryKey }: { phone: Phone; queryKey: QueryKey }) {
  const { state, obstacle } = phone
  const number = useGroupedNumber(phone.number)
  const [isAsked, setAsked] = useState(false)
  const [isConfirmed, setConfirmed] = useState(false)
  if (state === 'verified') {
    const kept = obstacle === null ? null : keptTexts[obstacle]
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
        <p role="status">{missingText({ ...phone, number })}</p>
      </div>
    )
  }
  return (
    <section className="account-note" aria-label="Confirm your number">
      <p role="status">
        {isAsked
          ? `We texted a code to ${number}. It works for ${limits.shortCodeMinutes} minutes.`
          : `To receive texts, confirm that ${number} is yours.`}
      </p>
      {isAsked ? <CodeForm queryKey={queryKey} onConfirmed={() => setConfirmed(true)} /> : null}
      <RequestCode isAgain={isAsked} onSent={() => setAsked(true)} />
    </section>
  )
}

/** Takes the code from the text. */
function CodeForm({ queryKey, onConfirmed }: { queryKey: QueryKey; onConfirmed: () => void }) {
  const { memberSession } = useServices()
  const queryClient = useQueryClient()
  const form = useSubmission('phone-code', { code: codeCheck })
  const [code, setCode] = useState('')

  async function verify(): Promise<Outcome> {
    const { timeZone } = new Intl.DateTimeFormat().resolvedOptions()
    const { data } = await (await memberSession.getClient()).verifyPhone({ code, timeZone })
    onConfirmed()
    queryClient.setQueryData(queryKey, data)
    void queryClient.invalidateQueries({ queryKey: deliveriesKey })
    return 'done'
  }

  return (
    <Form
      submission={form}
      action="Confirm"
      onSubmit={() =>
        void form.submit({
          values: { code },
          missing: 'Check the marked field.',
          action: verify,
          errorsOf: codeErrors,
        })
      }
    >
      <CodeField submission={form} code={code} onCode={setCode} enterKeyHint="go" />
    </Form>
  )
}

/** Asks for a code, below the words that the member agrees to. */
function RequestCode({ isAgain, onSent }: { isAgain: boolean; onSent: () => void }) {
  const { memberSession } = useServices()
  const queryClient = useQueryClient()
  const submission = useSubmission('phone-request')
  const { isBusy, message } = submission

  function send() {
    void submission.run(async () => {
      const { data } = await (await memberSession.getClient()).sendPhoneCode()
      if (data.state === 'verified') await queryClient.invalidateQueries({ queryKey: phoneKey })
      else onSent()
      return isAgain ? { text: 'We sent another code. Only the newest one works.' } : 'done'
    })
  }

  return (
    <>
      {isAgain ? null : <p className="account-intro">{siteMessages.smsConsent}</p>}
      <button type="button" className="link" aria-disabled={isBusy} onClick={send}>
        {isBusy ? messages.pleaseWait : isAgain ? 'Send a new code' : 'Text me a code'}
      </button>
      {message === null || isBusy ? null : (
        <StatusLine id={submission.messageId} message={message} onExpired={submission.expireMessage} />
      )}
    </>
  )
}
