import { type Endpoint, endpoint } from '../endpoint.ts'
import { invalid, resourceMissing } from '../errors.ts'
import { listOf } from '../list.ts'
import {
  boolean,
  changeMetadata,
  choice,
  createdRange,
  currency,
  integerBetween,
  isWithin,
  list,
  metadata,
  newMetadata,
  object,
  pagination,
  text,
  url,
} from '../params.ts'
import type { ChargeRecord, PaymentIntentRecord } from '../records.ts'
import { toWireCharge, toWireDispute, toWirePaymentIntent, toWireRefund } from '../wire/payment.ts'
import type { World } from '../world.ts'
import { cancelIntent, createPaymentIntent } from './charging.ts'
import { ofCustomer } from './of-customer.ts'
import { payIntent } from './paying.ts'
import { closeDispute, refundCharge } from './refunds.ts'

const intents = '/payment_intents'
const charges = '/charges'
const refunds = '/refunds'
const disputes = '/disputes'

export const paymentEndpoints: Endpoint[] = [
  endpoint(
    'POST',
    intents,
    object({
      amount: integerBetween(1),
      automatic_payment_methods: object({
        allow_redirects: choice('always', 'never').optional(),
        enabled: boolean,
      }).optional(),
      confirm: boolean.optional(),
      currency,
      customer: text.optional(),
      description: text.optional(),
      metadata: metadata.optional(),
      off_session: boolean.optional(),
      payment_method: text.optional(),
      allowed_payment_method_types: list(choice('card')).optional(),
      return_url: url.optional(),
      setup_future_usage: choice('off_session', 'on_session').optional(),
    }),
    ({ world, params }) => {
      if (params.customer) world.of('customer').get(params.customer, 'customer')
      if (params.payment_method) world.of('paymentMethod').get(params.payment_method, 'payment_method')
      const intent = createPaymentIntent(world, {
        customerId: params.customer ?? null,
        amount: params.amount,
        currency: params.currency,
        paymentMethodId: params.payment_method ?? null,
        metadata: newMetadata(params.metadata),
        description: params.description ?? null,
      })
      return toWirePaymentIntent(world, params.confirm ? payIntent(world, intent.id, {}) : intent)
    },
  ),
  endpoint(
    'GET',
    intents,
    object({ ...pagination, created: createdRange.optional(), customer: text.optional() }),
    ({ world, params: { customer, created, ...page } }) => {
      const isWanted = (intent: PaymentIntentRecord) => isWithin(created, intent.created)
      const all = world.of('paymentIntent')
      const found = customer ? ofCustomer(world, 'paymentIntent', customer, isWanted) : all.list(isWanted)
      return listOf(found, page, `/v1${intents}`, (intent) => toWirePaymentIntent(world, intent))
    },
  ),
  endpoint(
    'GET',
    `${intents}/:id`,
    object({ client_secret: text.optional() }),
    ({ world, path: { id = '' } }) => toWirePaymentIntent(world, world.of('paymentIntent').get(id)),
  ),
  endpoint(
    'POST',
    `${intents}/:id`,
    object({
      description: text.optional(),
      metadata: metadata.optional(),
      payment_method: text.optional(),
    }),
    ({ world, params, path: { id = '' } }) => {
      const before = world.of('paymentIntent').get(id)
      const { payment_method: card, description } = params
      if (card) world.of('paymentMethod').get(card, 'payment_method')
      const intent = world.of('paymentIntent').put({
        ...before,
        description: description ?? before.description,
        metadata: changeMetadata(before.metadata, params.metadata),
        ...(card ? { paymentMethodId: card, status: 'requires_confirmation' as const } : {}),
      })
      return toWirePaymentIntent(world, intent)
    },
  ),
  endpoint(
    'POST',
    `${intents}/:id/confirm`,
    object({
      off_session: boolean.optional(),
      payment_method: text.optional(),
      return_url: url.optional(),
      setup_future_usage: choice('off_session', 'on_session').optional(),
    }),
    ({ world, params, path: { id = '' } }) =>
      toWirePaymentIntent(world, payIntent(world, id, { paymentMethodId: params.payment_method })),
  ),
  endpoint(
    'POST',
    `${intents}/:id/cancel`,
    object({
      cancellation_reason: choice('abandoned', 'duplicate', 'fraudulent', 'requested_by_customer').optional(),
    }),
    ({ world, path: { id = '' } }) => {
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
      return toWirePaymentIntent(world, cancelIntent(world, id))
    },
  ),
  endpoint(
    'GET',
    charges,
    object({
      ...pagination,
      created: createdRange.optional(),
      customer: text.optional(),
      payment_intent: text.optional(),
    }),
    ({ world, params: { customer, created, payment_intent: intentId, ...page } }) => {
      const isWanted = (charge: ChargeRecord) =>
        (intentId === undefined || charge.paymentIntentId === intentId) && isWithin(created, charge.created)
      const all = world.of('charge')
      const found = customer ? ofCustomer(world, 'charge', customer, isWanted) : all.list(isWanted)
      return listOf(found, page, `/v1${charges}`, (charge) => toWireCharge(world, charge))
    },
  ),
  endpoint('GET', `${charges}/:id`, object({}), ({ world, path: { id = '' } }) =>
    toWireCharge(world, world.of('charge').get(id)),
  ),
  endpoint(
    'POST',
    refunds,
    object({
      amount: integerBetween(1).optional(),
      charge: text.optional(),
      metadata: metadata.optional(),
      payment_intent: text.optional(),
      reason: choice('duplicate', 'fraudulent', 'requested_by_customer').optional(),
    }),
    ({ world, params }) => {
      const refund = refundCharge(world, chargeIdOf(world, params), {
        amount: params.amount,
        reason: params.reason ?? null,
        metadata: newMetadata(params.metadata),
      })
      return toWireRefund(world, refund)
    },
  ),
  endpoint(
    'GET',
    refunds,
    object({
      ...pagination,
      charge: text.optional(),
      created: createdRange.optional(),
      payment_intent: text.optional(),
    }),
    ({ world, params: { charge, created, payment_intent: intentId, ...page } }) => {
      const found = world
        .of('refund')
        .list(
          (refund) =>
            (charge === undefined || refund.chargeId === charge) &&
            (intentId === undefined || refund.paymentIntentId === intentId) &&
            isWithin(created, refund.created),
        )
      return listOf(found, page, `/v1${refunds}`, (refund) => toWireRefund(world, refund))
    },
  ),
  endpoint('GET', `${refunds}/:id`, object({}), ({ world, path: { id = '' } }) =>
    toWireRefund(world, world.of('refund').get(id)),
  ),
  endpoint(
    'POST',
    `${refunds}/:id`,
    object({ metadata: metadata.optional() }),
    ({ world, params, path: { id = '' } }) => {
      const before = world.of('refund').get(id)
      const refund = { ...before, metadata: changeMetadata(before.metadata, params.metadata) }
      return toWireRefund(world, world.of('refund').put(refund))
    },
  ),
  endpoint(
    'GET',
    disputes,
    object({
      ...pagination,
      charge: text.optional(),
      created: createdRange.optional(),
      payment_intent: text.optional(),
    }),
    ({ world, params: { charge, created, payment_intent: intentId, ...page } }) => {
      const found = world
        .of('dispute')
        .list(
          (dispute) =>
            (charge === undefined || dispute.chargeId === charge) &&
            (intentId === undefined || dispute.paymentIntentId === intentId) &&
            isWithin(created, dispute.created),
        )
      return listOf(found, page, `/v1${disputes}`, (dispute) => toWireDispute(world, dispute))
    },
  ),
  endpoint('GET', `${disputes}/:id`, object({}), ({ world, path: { id = '' } }) =>
    toWireDispute(world, world.of('dispute').get(id)),
  ),
  // Who closes a dispute through the API gives in.
  endpoint('POST', `${disputes}/:id/close`, object({}), ({ world, path: { id = '' } }) =>
    toWireDispute(world, closeDispute(world, id, 'lost')),
  ),
]

function chargeIdOf(
  world: World,
  { charge, payment_intent: intentId }: { charge?: string | undefined; payment_intent?: string | undefined },
): string {
  if (charge !== undefined) return charge
  if (intentId === undefined) {
    throw invalid(
      'One of the following params should be provided for this request: payment_intent or charge.',
      {
        code: 'parameter_missing',
      },
    )
  }
  const { latestChargeId, status } = world.of('paymentIntent').get(intentId, 'payment_intent')
  if (status === 'succeeded' && latestChargeId) return latestChargeId
  if (latestChargeId === null) {
    throw invalid(`This PaymentIntent (${intentId}) does not have a successful charge to refund.`, {
      param: 'payment_intent',
    })
  }
  throw resourceMissing('charge', latestChargeId, 'payment_intent')
}
