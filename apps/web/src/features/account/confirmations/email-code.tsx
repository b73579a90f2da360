import type { ReactNode } from 'react'
import { type LateFocus, lateFocus } from '#components/late-focus.ts'
import { useServices } from '#lib/services/services.tsx'
import { CodeForm } from './code-form.tsx'
import type { ConfirmationMail } from './confirmation-mail.ts'
import { RequestCode } from './request-code.tsx'
import { useMemberWatch } from './use-member-watch.ts'

type EmailCodeFormProps = {
  email: string
  onSubmit?: () => void
  onFailed?: () => void
  onConfirmed?: () => void
}

/** Takes the code that confirms an address, and learns when the link of the same email has confirmed it. */
export function EmailCodeForm({ email, onSubmit, onFailed, onConfirmed }: EmailCodeFormProps) {
  const { memberSession } = useServices()
  useMemberWatch()

  async function verify(code: string): Promise<void> {
    onSubmit?.()
    try {
      const client = await memberSession.getClient()
      await client.verifyMemberEmail({ email, code })
    } catch (error) {
      onFailed?.()
      throw error
    }
    onConfirmed?.()
  }

  return <CodeForm formId="email-code" verify={verify} />
}

const texts = {
  ask: 'Send me the email',
  askAgain: 'Send a new email',
  onItsWay: 'No email yet? In a minute you can send a new one.',
  sentAgain: 'We sent another email. Only the newest one works.',
}

type RequestEmailProps = {
  mail: ConfirmationMail
  /** Whether an earlier email asked for this code. */
  isAgain: boolean
  onSent: (moveFocus: LateFocus) => void
  children?: ReactNode
}

/** Asks for another email, unless the last one may still be on its way. */
export function RequestEmail({ mail, isAgain, onSent, children }: RequestEmailProps) {
  const { memberSession } = useServices()

  async function send(): Promise<void> {
    const moveFocus = lateFocus()
    await (await memberSession.getClient()).sendMemberVerificationEmail()
    mail.remember()
    onSent(moveFocus)
  }

  return (
    <RequestCode
      formId="confirmation"
      texts={texts}
      isAgain={isAgain}
      isOnItsWay={mail.isOnItsWay}
      onSend={send}
    >
      {children}
    </RequestCode>
  )
}
