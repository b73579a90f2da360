import { type Endpoint, endpoint } from '../../http/endpoint.ts'
import { invalid } from '../../protocol/errors.ts'
import { isWithin, listing, listOf } from '../../protocol/list.ts'
import { changeMetadata, metadata, newMetadata } from '../../protocol/metadata.ts'
import { boolean, choice, currency, integerBetween, list, object, text, url } from '../../protocol/params.ts'
import type { PaymentIntentRecord } from '../../records/payment.ts'
import { toWirePaymentIntent } from '../../wire/payment.ts'
import type { World } from '../../world/world.ts'
import { cancelIntent, createPaymentIntent } from '../cards/charging.ts'
import { requireUsableCard } from '../cards/paying-card.ts'
import { recordsOf } from '../records-of.ts'
import { payIntent } from './paying.ts'

const path = '/payment_intents'

export const paymentIntentEndpoints: Endpoint[] = [
  endpoint(
    'POST',
    path,
    object({
      amount: integerBetween(1),
      confirm: boolean.optional(),
      currency,
      customer: text.optional(),
      description: text.optional(),
      metadata: metadata.optional(),
      off_session: boolean.optional(),
      payment_method: text.optional(),
      allowed_payment_method_types: list(choice('card')).optional(),
      return_url: url.optional(),
    }),
    ({ world, params }) => {
      const { customer: customerId = null, payment_method: card } = params
      if (customerId) world.of('customer').get(customerId, 'customer')
      const intent = createPaymentIntent(world, {
        customerId,
        amount: params.amount,
        currency: params.currency,
        paymentMethodId: card ? requireUsableCard(world, card, customerId) : null,
        metadata: newMetadata(params.metadata),
        description: params.description ?? null,
      })
      return toWirePaymentIntent(world, params.confirm ? payIntent(world, intent.id, {}) : intent)
    },
  ),
  endpoint(
    'GET',
    path,
    object({ ...listing, customer: text.optional() }),
    ({ world, params: { customer, created, ...page } }) => {
      const isWanted = (intent: PaymentIntentRecord) => isWithin(created, intent.created)
      const found = recordsOf(world, 'paymentIntent', customer, isWanted)
      return listOf(found, page, `/v1${path}`, (intent) => toWirePaymentIntent(world, intent))
    },
  ),
  endpoint('GET', `${path}/:id`, object({ client_secret: text.optional() }), ({ world, id }) =>
    toWirePaymentIntent(world, world.of('paymentIntent').get(id)),
  ),
  endpoint(
    'POST',
    `${path}/:id`,
    object({
      description: text.optional(),
      metadata: metadata.optional(),
      payment_method: text.optional(),
    }),
    ({ world, params, id }) => {
      const before = world.of('paymentIntent').get(id)
      const { payment_method: card, description } = params
      const intent = world.of('paymentIntent').put({
        ...before,
        description: description ?? before.description,
        metadata: changeMetadata(before.metadata, params.metadata),
        ...(card ? withCard(world, before, card) : {}),
      })
      return toWirePaymentIntent(world, intent)
    },
  ),
  endpoint(
    'POST',
    `${path}/:id/confirm`,
    object({
      off_session: boolean.optional(),
      payment_method: text.optional(),
      return_url: url.optional(),
    }),
    ({ world, params, id }) =>
      toWirePaymentIntent(world, payIntent(world, id, { paymentMethodId: params.payment_method })),
  ),
  endpoint(
    'POST',
    `${path}/:id/cancel`,
    object({
      cancellation_reason: choice('abandoned', 'duplicate', 'fraudulent', 'requested_by_customer').optional(),
    }),
    ({ world, params, id }) => {
      const { status, invoiceId } = world.of('paymentIntent').get(id)
      if (invoiceId) {
        throw invalid(
          'You cannot cancel a PaymentIntent that belongs to an invoice: void the invoice instead.',
        )
      }
      if (status === 'succeeded' || status === 'canceled') {
        const message = `You cannot cancel this PaymentIntent because it has a status of ${status}.`
        throw invalid(message, { code: 'payment_intent_unexpected_state' })
      }
      return toWirePaymentIntent(world, cancelIntent(world, id, params.cancellation_reason ?? null))
    },
  ),
]

function withCard(world: World, { customerId }: PaymentIntentRecord, card: string) {
  const paymentMethodId = requireUsableCard(world, card, customerId)
  return { paymentMethodId, status: 'requires_confirmation' as const }
}
