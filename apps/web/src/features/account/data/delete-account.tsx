import type { Member } from '@tidings/contracts/membership/members'
import { normalizeEmail } from '@tidings/contracts/membership/typed-text'
import { useEffect, useRef, useState } from 'react'
import { Form } from '#components/forms/form.tsx'
import { TextField } from '#components/forms/text-field.tsx'
import { type Outcome, useSubmission } from '#components/forms/use-submission.ts'
import { useToasts } from '#components/toaster.tsx'
import { forgetEmail } from '#lib/member/login-email.ts'
import { paidConnection } from '#lib/plans/plan-kinds.ts'
import { useServices } from '#lib/services/services.tsx'

type DeleteAccountProps = { member: Member; onKeep: () => void }

/** Says what is lost with the account, and deletes it once the member has typed its address. */
export function DeleteAccount({ member, onKeep }: DeleteAccountProps) {
  const { config, deviceStore, memberSession } = useServices()
  const toasts = useToasts()
  const askedText = `Enter ${member.auth.email} to confirm.`
  const form = useSubmission('delete', {
    email: { problemOf: (text) => (isOwnAddress(text) ? null : askedText) },
  })
  const [email, setEmail] = useState('')
  const heading = useRef<HTMLHeadingElement>(null)
  const plan = paidConnection(member.planConnections)
  const hasPaymentDetails = member.stripeCustomerId !== null

  useEffect(() => heading.current?.focus(), [])

  async function remove(): Promise<Outcome> {
    await memberSession.leave((client) => client.deleteMember())
    forgetEmail(deviceStore)
    toasts.show(
      'blank',
      hasPaymentDetails
        ? 'Your data was deleted. We’re closing your account, which can take a few minutes.'
        : 'Your account was deleted.',
    )
    return 'done'
  }

  function isOwnAddress(text: string): boolean {
    return normalizeEmail(text).toLowerCase() === member.auth.email.toLowerCase()
  }

  function submit() {
    if (isOwnAddress(email)) return void form.run(remove)
    form.refuse(askedText, { email: askedText })
  }

  return (
    <section className="account-panel" aria-labelledby="delete-title">
      <h3 id="delete-title" ref={heading} tabIndex={-1}>
        Delete your account?
      </h3>
      <ul>
        {plan === undefined ? null : (
          <li>Your {plan.planName} plan ends at once, and the time that’s left isn’t refunded.</li>
        )}
        <li>Deliveries stop, and gated articles are closed to you.</li>
        <li>Your details, and your comments with the replies to them, are deleted.</li>
        {hasPaymentDetails ? (
          <li>
            {config.customerOnDeletion === 'delete'
              ? 'Your details and cards at our payment service are deleted once nothing is open. Records of your payments stay there.'
              : 'Your name, email, addresses and cards at our payment service are removed once nothing is open. Records of your payments stay there.'}{' '}
            Until your payments are settled, you can’t sign up again with this address.
          </li>
        ) : null}
        <li>This can’t be undone.</li>
      </ul>
      <Form submission={form} action="Delete account" onSubmit={submit}>
        <TextField
          {...form.input('email', email, setEmail)}
          label={`To confirm, enter ${member.auth.email}`}
          type="email"
          autoComplete="off"
          autoCapitalize="none"
          spellCheck={false}
          enterKeyHint="done"
          maxLength={320}
        />
      </Form>
      <button type="button" className="link" onClick={onKeep}>
        Keep my account
      </button>
    </section>
  )
}
