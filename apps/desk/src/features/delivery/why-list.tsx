import { useQuery } from '@tanstack/react-query'
import type { DeliveryReport } from '@tidings/contracts/delivery/deliveries'
import { useState } from 'react'
import { Failure } from '#components/failure.tsx'
import { methodName } from './delivery-counts.ts'
import { deliveriesIn } from './delivery-queries.ts'
import type { Why } from './delivery-words.ts'

type Props = { editionKey: string; reasons: readonly Why[]; waiting: DeliveryReport['waiting'] }

/** Says in sentences why deliveries wait or were not delivered. */
export function WhyList({ editionKey, reasons, waiting }: Props) {
  return (
    <section className="delivery-part">
      <h2>Why</h2>
      <ul className="delivery-why">
        {waiting.map(({ transport, reason, message }) => (
          <li key={`${transport} ${reason}`}>
            <span className="delivery-why-count" />
            <span>{message}</span>
            <span className="meta">Waiting</span>
          </li>
        ))}
        {reasons.map((why) => (
          <Reason key={`${why.state} ${why.text}`} editionKey={editionKey} why={why} />
        ))}
      </ul>
    </section>
  )
}

function Reason({ editionKey, why: { count, text, kind, state, reason } }: { editionKey: string; why: Why }) {
  const [isOpen, setIsOpen] = useState(false)
  return (
    <li>
      <span className="delivery-why-count">{count.toLocaleString('en')}</span>
      <span>{text}</span>
      <span className="meta">{kind === 'waiting' ? 'Waiting' : 'Not delivered'}</span>
      <button type="button" className="words" aria-expanded={isOpen} onClick={() => setIsOpen(!isOpen)}>
        {isOpen ? 'Hide' : 'Show'}
      </button>
      {isOpen && <Recipients editionKey={editionKey} state={state} reason={reason} />}
    </li>
  )
}

type RecipientsProps = Pick<Why, 'state' | 'reason'> & { editionKey: string }

function Recipients({ editionKey, state, reason }: RecipientsProps) {
  const { data, error } = useQuery(deliveriesIn(editionKey, state))
  if (error !== null) return <Failure text={error.message} />
  if (data === undefined) return <p className="loading">Loading…</p>
  const shown = data.filter((each) => (each.reason || null) === reason)
  return (
    <ul className="rows delivery-recipients">
      {shown.map(({ id, method, recipient, member }) => (
        <li key={id}>
          <span>{recipient === '' ? (member ?? 'Deleted account') : recipient}</span>
          <span className="meta">{methodName(method)}</span>
        </li>
      ))}
    </ul>
  )
}
