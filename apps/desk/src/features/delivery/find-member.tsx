import { useMutation } from '@tanstack/react-query'
import type { DeliverySearch, FoundDelivery } from '@tidings/contracts/delivery/deliveries'
import * as routes from '@tidings/contracts/desk/routes'
import { Failure } from '#components/failure.tsx'
import { call } from '#lib/api/call.ts'
import { useZones } from '#lib/desk-context.ts'
import { clockText } from '#lib/time/zoned-time.ts'
import { methodName } from './delivery-counts.ts'

/** Finds the deliveries of this edition to one member, by address, number or id. */
export function FindMember({ editionKey }: { editionKey: string }) {
  const search = useMutation({
    async mutationFn(text: string): Promise<FoundDelivery[]> {
      const input = { body: searchOf(text), query: { limit: 200 } }
      const { data } = await call(routes.searchDeliveries, input)
      return data.filter(({ edition }) => edition === editionKey)
    },
  })
  return (
    <section className="delivery-find" aria-label="Find one member’s deliveries">
      <form
        onSubmit={(event) => {
          event.preventDefault()
          const text = new FormData(event.currentTarget).get('member')
          if (typeof text === 'string' && text.trim() !== '') search.mutate(text.trim())
        }}
      >
        <label htmlFor="delivery-member">Find one member’s deliveries</label>
        <div className="field-row">
          <input
            id="delivery-member"
            name="member"
            autoComplete="off"
            placeholder="Email, phone number or mem_…"
            maxLength={320}
          />
          <button type="submit" disabled={search.isPending}>
            Find
          </button>
        </div>
      </form>
      <Failure text={search.error?.message ?? null} />
      <div role="status">
        {search.data !== undefined && (
          <>
            <h3>{search.variables}</h3>
            {search.data.length === 0 && <p>Nothing of this edition went to this member.</p>}
            <ul className="delivery-found">
              {search.data.map((delivery) => (
                <Found key={delivery.id} delivery={delivery} />
              ))}
            </ul>
          </>
        )}
      </div>
    </section>
  )
}

function Found({ delivery }: { delivery: FoundDelivery }) {
  const { site } = useZones()
  const { method, state, sentAt, reason, waiting, attemptLog } = delivery
  const last = attemptLog.at(-1)
  const at = sentAt ?? last?.at
  return (
    <li>
      <b>{methodName(method)}</b>
      <p>
        {stateNames[state]}
        {at !== undefined && state !== 'planned' && ` at ${clockText(new Date(at), site)}`}.
        {waiting !== null && ` ${waiting.message}`}
      </p>
      {(last?.reply || reason) && <p>“{last?.reply || reason}”</p>}
    </li>
  )
}

const stateNames: Readonly<Record<FoundDelivery['state'], string>> = {
  planned: 'Waiting',
  sending: 'Being sent',
  sent: 'Accepted by the server',
  delivered: 'Delivered',
  bounced: 'Returned by the server',
  failed: 'Refused by the server',
  suppressed: 'Not sent',
  held: 'Waiting for an editor',
  unconfirmed: 'Handed over, without a reply',
}

function searchOf(text: string): DeliverySearch {
  if (text.startsWith('mem_')) return { member: text }
  return text.includes('@') ? { address: text } : { number: text }
}
