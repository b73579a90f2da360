import { useQuery, useQueryClient } from '@tanstack/react-query'
import type { PdfFormat } from '@tidings/contracts/delivery/deliveries'
import { factsOf, methodsOf } from '@tidings/contracts/delivery/methods'
import type { Member } from '@tidings/contracts/membership/members'
import { useState } from 'react'
import { useSubmission } from '#components/forms/use-submission.ts'
import { StatusLine } from '#components/status-line.tsx'
import { useServices } from '#lib/services/services.tsx'
import { deliveriesOf } from './member-deliveries.ts'

const formats = [
  ['phone', 'Phone', 'Your next PDF has pages for a phone.'],
  ['a4', 'A4, for printing', 'Your next PDF has A4 pages.'],
] as const satisfies readonly (readonly [PdfFormat, string, string])[]

/** Lets members who receive PDFs choose their pages. A choice is saved at once. */
export function PdfPages({ member }: { member: Member }) {
  const { memberSession } = useServices()
  const queryClient = useQueryClient()
  const submission = useSubmission('pdf-pages')
  const { isBusy, message } = submission
  const [chosen, setChosen] = useState<PdfFormat | null>(null)
  const { data } = useQuery(deliveriesOf(memberSession, member))
  const methods = [...methodsOf(member.customFields)]
  if (data === undefined || !methods.some((method) => factsOf(method).sends === 'PDFs')) return null

  function choose(pdfFormat: PdfFormat, text: string) {
    void submission.run(async () => {
      setChosen(pdfFormat)
      try {
        const { data } = await (await memberSession.getClient()).choosePdfFormat({ pdfFormat })
        queryClient.setQueryData(deliveriesOf(memberSession, member).queryKey, data)
      } finally {
        setChosen(null)
      }
      return { text }
    })
  }

  return (
    <>
      <fieldset className="pdf-pages" aria-busy={isBusy}>
        <legend>Pages of the PDF</legend>
        <div>
          {formats.map(([format, label, text]) => (
            <label key={format}>
              <input
                type="radio"
                name="pdf-pages"
                value={format}
                checked={(chosen ?? data.pdfFormat) === format}
                onChange={() => choose(format, text)}
              />
              {label}
            </label>
          ))}
        </div>
      </fieldset>
      {message === null || isBusy ? null : (
        <StatusLine id={submission.messageId} message={message} onExpired={submission.expireMessage} />
      )}
    </>
  )
}
