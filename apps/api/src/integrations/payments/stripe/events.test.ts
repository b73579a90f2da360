import { testNow } from '@tidings/emulators/stripe/testing/start-emulator'
import Stripe from 'stripe'
import { describe, expect, it } from 'vitest'
import { createFixedClock } from '#platform/clock.ts'
import { createCapturedLog } from '#test/captured-log.ts'
import { InvalidSignatureError, UnreadableEventError } from '../payment-gateway.ts'
import { createStripePaymentGateway } from './stripe-payment-gateway.ts'

const webhookSecret = 'whsec_of_the_shop'
const nowSeconds = testNow().getTime() / 1000
const { readEvent } = createStripePaymentGateway({
  secretKey: 'sk_test_tidings_local',
  webhookSecret,
  apiUrl: new URL('http://127.0.0.1:9'),
  clock: createFixedClock(testNow()),
  logger: createCapturedLog().logger,
  findStored: async () => null,
})

function bodyAbout(object: Record<string, unknown>, type = 'customer.subscription.updated') {
  return JSON.stringify({ id: 'evt_1', object: 'event', type, created: nowSeconds, data: { object } })
}

type Signing = { secret?: string; timestamp?: number }

function signed(body: string, { secret = webhookSecret, timestamp = nowSeconds }: Signing = {}) {
  return Stripe.webhooks.generateTestHeaderString({ payload: body, secret, timestamp })
}

function read(object: Record<string, unknown>, type?: string) {
  const body = bodyAbout(object, type)
  return readEvent(Buffer.from(body), signed(body))
}

describe('an event', () => {
  it('tells what happened, when and to whom', () => {
    expect(read({ object: 'subscription', id: 'sub_1', customer: 'cus_1' })).toEqual({
      id: 'evt_1',
      type: 'customer.subscription.updated',
      createdAt: new Date('2026-11-20T18:00:00Z'),
      customerId: 'cus_1',
      subjectId: 'sub_1',
      isLive: null,
      accountId: null,
    })
  })

  it.each([
    [
      'a customer answered whole',
      { object: 'invoice', customer: { id: 'cus_2', object: 'customer' } },
      'cus_2',
      null,
    ],
    ['a customer itself', { object: 'customer', id: 'cus_3' }, 'cus_3', 'cus_3'],
    ['a dispute', { object: 'dispute', id: 'dp_1', charge: 'ch_1' }, null, 'dp_1'],
    ['nobody', { object: 'price', id: 'price_1' }, null, 'price_1'],
    ['no customer', { object: 'payment_method', customer: null }, null, null],
    ['something odd', { object: 'balance', id: 42, customer: 42 }, null, null],
  ])('may name %s', (_what, object, customerId, subjectId) => {
    expect(read(object)).toMatchObject({ customerId, subjectId })
  })

  it('is believed for five minutes', () => {
    const body = bodyAbout({ object: 'subscription' })
    const at = (timestamp: number) => () => readEvent(Buffer.from(body), signed(body, { timestamp }))
    expect(at(nowSeconds - 300)().id).toBe('evt_1')
    expect(at(nowSeconds - 301)).toThrow(InvalidSignatureError)
  })

  const body = bodyAbout({ object: 'subscription', customer: 'cus_1' })
  const good = signed(body)
  const signature = good.replace(/^t=\d+,/, '')
  it.each([
    ['altered', body.replace('cus_1', 'cus_2'), good],
    ['written otherwise', `${body} `, good],
    ['signed with another secret', body, signed(body, { secret: 'whsec_another' })],
    ['signed for another moment', body, `t=${nowSeconds - 1},${signature}`],
    ['signed in an older way only', body, good.replace('v1=', 'v0=')],
    ['without a signature', body, undefined],
    ['with an empty signature', body, ''],
    ['with a malformed signature', body, 'hello'],
    ['with a time that is none', body, `t=soon,${signature}`],
  ])('is not believed when it is %s, and is not quoted', (_what, text, header) => {
    const reading = () => readEvent(Buffer.from(text), header)
    expect(reading).toThrow(InvalidSignatureError)
    expect(reading).not.toThrow(/cus_|whsec_/)
  })

  it.each([
    ['no JSON', 'no json of cus_1', /^invalid JSON$/],
    ['of another kind', '{"object":"v2.core.event"}', /^unsupported kind of event$/],
    ['nothing', '', /^invalid JSON$/],
    ['without an id', bodyAbout({}).replace('evt_1', 'e v t_cus_1'), /^id: \w+$/],
  ])('is believed and cannot be read when it is %s, and is not quoted', (_what, text, reason) => {
    const reading = () => readEvent(Buffer.from(text), signed(text))
    expect(reading).toThrow(UnreadableEventError)
    expect(reading).toThrow(reason)
    expect(reading).not.toThrow(/cus_|whsec_/)
  })

  it.each([
    ['no signature', undefined],
    ['signature expired', signed(body, { timestamp: nowSeconds - 301 })],
    ['malformed signature', 'hello'],
    ['signature mismatch', signed(`${body} `)],
  ])('is refused for %s', (reason, header) => {
    expect(() => readEvent(Buffer.from(body), header)).toThrow(reason)
  })

  it('is believed when one of several signatures is good', () => {
    expect(readEvent(Buffer.from(body), `${good},v1=${'0'.repeat(64)}`).customerId).toBe('cus_1')
  })
})
