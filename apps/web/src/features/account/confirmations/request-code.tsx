import { messages } from '@tidings/contracts/membership/messages'
import type { ReactNode } from 'react'
import { useSubmission } from '#components/forms/use-submission.ts'
import { StatusLine } from '#components/status-line.tsx'

type RequestCodeProps = {
  formId: string
  texts: { ask: string; askAgain: string; onItsWay: string; sentAgain: string }
  /** Whether an earlier email or text has a code. */
  isAgain: boolean
  /** Whether the last one was sent so recently that it may not have arrived. */
  isOnItsWay: boolean
  onSend: () => Promise<void>
  /** Other actions beside it. */
  children?: ReactNode
}

/** Asks for an email or a text with a code, unless the last one may still be on its way. */
export function RequestCode({ formId, texts, isAgain, isOnItsWay, onSend, children }: RequestCodeProps) {
  const submission = useSubmission(formId)
  const { isBusy, message } = submission

  function send() {
    void submission.run(async () => {
      await onSend()
      return isAgain ? { text: texts.sentAgain } : 'done'
    })
  }

  return (
    <>
      {isOnItsWay ? (
        <p className="account-detail">{texts.onItsWay}</p>
      ) : (
        <div className="section-actions">
          <button type="button" className="link" aria-disabled={isBusy} onClick={send}>
            {isBusy ? messages.pleaseWait : isAgain ? texts.askAgain : texts.ask}
          </button>
          {children}
        </div>
      )}
      {message === null || isBusy ? null : (
        <StatusLine id={submission.messageId} message={message} onExpired={submission.expireMessage} />
      )}
    </>
  )
}
