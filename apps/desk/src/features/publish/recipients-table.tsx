import { useQuery } from '@tanstack/react-query'
import type { DeskEdition } from '@tidings/contracts/desk/editions'
import { methodName } from '#features/delivery/delivery-counts.ts'
import { counted } from '#lib/counted.ts'
import { type Readiness, recipientsOf } from './look-at.ts'
import { textCost } from './publish-calls.ts'

type Props = { edition: DeskEdition; readiness: Readiness; isSent: boolean }

/** Shows how many members get the edition by each method, or why no member does. */
export function RecipientsTable({ edition, readiness, isSent }: Props) {
  const { methods, digest, total } = recipientsOf(readiness)
  if (!isSent) return <p className="publish-none">Nothing is sent. Readers find it on the site.</p>
  return (
    <table className="publish-table">
      <thead>
        <tr>
          <th scope="col">Goes to</th>
          <th scope="col">Deliveries</th>
          <th scope="col">As</th>
        </tr>
      </thead>
      <tbody>
        {methods.map(({ method, count, reason }) => (
          <tr key={method}>
            <th scope="row">{methodName(method)}</th>
            <td>{count.toLocaleString('en')}</td>
            <td>{reason ?? <Form method={method} edition={edition} />}</td>
          </tr>
        ))}
      </tbody>
      <tfoot>
        <tr>
          <th scope="row">Together</th>
          <td>{total.toLocaleString('en')}</td>
          <td>{reachText(readiness.members, digest)}</td>
        </tr>
      </tfoot>
    </table>
  )
}

function reachText(members: number, digest: number): string {
  return [
    ...(members === 0 ? [] : [`to ${counted(members, 'member')}`]),
    ...(digest === 0 ? [] : [`${digest.toLocaleString('en')} more get it in the day’s digest`]),
  ].join('; ')
}

type Method = Readiness['recipients'][number]['method']

function Form({ method, edition }: { method: Method; edition: DeskEdition }) {
  const count = edition.memos.length
  if (method === 'memo-email') return `one message, ${count === 1 ? 'one memo' : `${count} memos`}`
  if (method === 'memo-sms' || method === 'pdf-sms') return <TextForm method={method} edition={edition} />
  return method === 'web-push' ? 'one in each browser that asked for it' : 'a PDF with the message'
}

function TextForm({ method, edition }: { method: 'memo-sms' | 'pdf-sms'; edition: DeskEdition }) {
  const { data: cost } = useQuery(textCost(edition.key, edition.version, method))
  const what = method === 'pdf-sms' ? 'a link to the PDF' : 'a text'
  if (cost === undefined || cost === null || cost.texts === 0) return what
  const parts = Math.ceil(cost.segments / cost.texts)
  const price = new Intl.NumberFormat('en', { style: 'currency', currency: cost.currency }).format(
    cost.amount,
  )
  return `${what}, ${parts === 1 ? '1 part' : `${parts} parts`} each, about ${price}`
}
