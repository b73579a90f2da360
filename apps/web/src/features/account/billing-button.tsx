import { messages } from '@tidings/contracts/membership/messages'
import { useSubmission } from '#components/forms/use-submission.ts'
import { StatusLine } from '#components/status-line.tsx'
import { useServices } from '#lib/services/services.tsx'

/** Opens the page of the payment service where a member changes the card, cancels, resumes and finds invoices. */
export function BillingButton({ label }: { label: string }) {
  const { memberSession } = useServices()
  const submission = useSubmission('billing')
  const { isBusy, message } = submission

  function open() {
    void submission.run(async () => {
      const client = await memberSession.getClient()
      const { data } = await client.launchStripeCustomerPortal({
        returnUrl: '/#/account/dashboard?billing=done',
        autoRedirect: false,
      })
      return { page: data.url }
    })
  }

  return (
    <>
      <button type="button" className="link" aria-disabled={isBusy} onClick={open}>
        {isBusy ? messages.pleaseWait : label}
      </button>
      {message?.isError === true ? (
        <StatusLine id={submission.messageId} message={message} onExpired={submission.expireMessage} />
      ) : null}
    </>
  )
}
