import { invalid } from '../../protocol/errors.ts'
import { listOf } from '../../protocol/list.ts'
import { changeMetadata, metadata, newMetadata } from '../../protocol/metadata.ts'
import { choice, integerBetween, object, text } from '../../protocol/params.ts'
import type { Store } from '../../store/store.ts'
import { chargeFilters, matchesCharge } from '../charge/about-charge.ts'
import { toWireRefund } from '../charge/charge.ts'
import { type Endpoint, endpoint } from '../endpoint.ts'
import { retrieve } from '../retrieve.ts'
import { refundCharge } from './refund.ts'

const path = '/refunds'

export const refundEndpoints: Endpoint[] = [
  endpoint(
    'POST',
    path,
    object({
      amount: integerBetween(1).optional(),
      charge: text.optional(),
      metadata: metadata.optional(),
      payment_intent: text.optional(),
      reason: choice('duplicate', 'fraudulent', 'requested_by_customer').optional(),
    }),
    ({ store, params }) => {
      const refund = refundCharge(store, chargeIdOf(store, params), {
        amount: params.amount,
        reason: params.reason ?? null,
        metadata: newMetadata(params.metadata),
      })
      return toWireRefund(store, refund)
    },
  ),
  endpoint('GET', path, object(chargeFilters), ({ store, params }) =>
    listOf(store.of('refund').list(matchesCharge(params)), params, `/v1${path}`, (refund) =>
      toWireRefund(store, refund),
    ),
  ),
  retrieve(path, 'refund', toWireRefund),
  endpoint('POST', `${path}/:id`, object({ metadata: metadata.optional() }), ({ store, params, id }) => {
    const before = store.of('refund').get(id)
    const refund = { ...before, metadata: changeMetadata(before.metadata, params.metadata) }
    return toWireRefund(store, store.of('refund').put(refund))
  }),
]

type Charged = { charge?: string | undefined; payment_intent?: string | undefined }

function chargeIdOf(store: Store, { charge, payment_intent: intentId }: Charged): string {
  if (charge !== undefined && intentId !== undefined) {
    throw invalid('You may only specify one of these parameters: charge, payment_intent.', {
      param: 'charge',
    })
  }
  if (charge !== undefined) return charge
  if (intentId === undefined) {
    throw invalid(
      'One of the following params should be provided for this request: payment_intent or charge.',
      { code: 'parameter_missing' },
    )
  }
  const { latestChargeId, status } = store.of('paymentIntent').get(intentId, 'payment_intent')
  if (status === 'succeeded' && latestChargeId) return latestChargeId
  throw invalid(`This PaymentIntent (${intentId}) does not have a successful charge to refund.`, {
    param: 'payment_intent',
  })
}
