import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { Failure } from '#components/failure.tsx'
import { counted } from '#lib/counted.ts'
import { useZones } from '#lib/desk-context.ts'
import { clockText } from '#lib/time/zoned-time.ts'
import { methodName } from './delivery-counts.ts'
import { deliveriesIn, resolveAll } from './delivery-queries.ts'

type Props = { editionKey: string; count: number; canPublish: boolean }

/** Says which deliveries may or may not have arrived, and lets an editor decide. */
export function Unconfirmed({ editionKey, count, canPublish }: Props) {
  const { site } = useZones()
  const queryClient = useQueryClient()
  const { data: deliveries = [] } = useQuery(deliveriesIn(editionKey, 'unconfirmed'))
  const decide = useMutation({
    mutationFn: (as: 'sent' | 'send-again') => resolveAll(editionKey, as),
    onSettled: () => queryClient.invalidateQueries({ queryKey: ['delivery'] }),
  })
  const times = deliveries.flatMap(({ handedOverAt }) => (handedOverAt === null ? [] : [handedOverAt])).sort()
  const [first] = times
  const members = counted(count, 'member')
  return (
    <section className="delivery-part">
      <h2>{counted(count, 'delivery is', 'deliveries are')} unconfirmed</h2>
      <p>
        {first === undefined ? 'The' : `At ${clockText(new Date(first), site)} the`} connection to the server
        broke after {count === 1 ? 'this was' : 'these were'} handed over and before it replied. No reply and
        no bounce came since.
      </p>
      {deliveries.length > 0 && (
        <details>
          <summary>See {count === 1 ? 'it' : `the ${count.toLocaleString('en')}`}</summary>
          <ul className="rows">
            {deliveries.map(({ id, method, recipient, reason }) => (
              <li key={id}>
                <span>{recipient === '' ? 'A browser' : recipient}</span>
                <span className="meta">{[methodName(method), reason].filter(Boolean).join(' · ')}</span>
              </li>
            ))}
          </ul>
        </details>
      )}
      {canPublish && (
        <div className="delivery-choices">
          <div>
            <button type="button" disabled={decide.isPending} onClick={() => decide.mutate('sent')}>
              Count the {count.toLocaleString('en')} as sent
            </button>
            <p>Nobody gets it twice. Up to {members} may go without.</p>
          </div>
          <div>
            <button
              type="button"
              data-sends
              disabled={decide.isPending}
              onClick={() => decide.mutate('send-again')}
            >
              Send the {count.toLocaleString('en')} again
            </button>
            <p>Nobody goes without. Up to {members} may get it twice.</p>
          </div>
        </div>
      )}
      <Failure text={decide.error?.message ?? null} canClose />
    </section>
  )
}
