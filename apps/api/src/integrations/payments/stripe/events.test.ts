import { testNow } from '@tidings/emulators/stripe/testing/start-emulator'
import Stripe from 'stripe'
import { describe, expect, it } from 'vitest'
import { createCapturedLog } from '#test/captured-log.ts'
import { createFixedClock } from '#test/factories/fixed-clock.ts'
import { InvalidSignatureError, UnreadableEventError } from '../gateway-errors.ts'
import { readStripeEvent } from './events.ts'

const webhookSecret = 'whsec_of_the_store'
const nowSeconds = testNow().getTime() / 1000
const options = {
  secretKey: 'sk_test_tidings_local',
  webhookSecrets: [webhookSecret],
  apiUrl: new URL('http://127.0.0.1:9'),
  clock: createFixedClock(testNow()),
  logger: createCapturedLog().logger,
  findStored: async () => null,
}

function readEvent(body: Buffer, signature: string | undefined) {
  return readStripeEvent(options, body, signature)
}

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

describe('readEvent with the secrets of two endpoints', () => {
  const body = bodyAbout({ object: 'subscription', id: 'sub_1', customer: 'cus_1' })
  const readWith = (webhookSecrets: string[], signing?: Signing) =>
    readStripeEvent({ ...options, webhookSecrets }, Buffer.from(body), signed(body, signing))

  it.each([[['whsec_new', webhookSecret]], [[webhookSecret, 'whsec_new']]])(
    'accepts the signature of either: %s',
    (secrets) => {
      expect(readWith(secrets)).toMatchObject({ customerId: 'cus_1' })
      expect(readWith(secrets, { secret: 'whsec_new' })).toMatchObject({ customerId: 'cus_1' })
    },
  )

  it('rejects another signature and an expired one', () => {
    const secrets = [webhookSecret, 'whsec_new']
    expect(() => readWith(secrets, { secret: 'whsec_other' })).toThrow('signature mismatch')
    expect(() => readWith(secrets, { secret: secrets.join(',') })).toThrow('signature mismatch')
    expect(() => readWith(secrets, { timestamp: nowSeconds - 301 })).toThrow('signature expired')
  })
})

describe('readEvent', () => {
  it('returns the type, time, customer and subject', () => {
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
      'an expanded customer',
      { object: 'invoice', customer: { id: 'cus_2', object: 'customer' } },
      'cus_2',
      null,
    ],
    ['a customer itself', { object: 'customer', id: 'cus_3' }, 'cus_3', 'cus_3'],
    ['a dispute', { object: 'dispute', id: 'dp_1', charge: 'ch_1' }, null, 'dp_1'],
    ['no customer field', { object: 'price', id: 'price_1' }, null, 'price_1'],
    ['a null customer', { object: 'payment_method', customer: null }, null, null],
    ['invalid values', { object: 'balance', id: 42, customer: 42 }, null, null],
  ])('parses an event with %s', (_what, object, customerId, subjectId) => {
    expect(read(object)).toMatchObject({ customerId, subjectId })
  })

  const body = bodyAbout({ object: 'subscription', customer: 'cus_1' })
  const good = signed(body)
  const signature = good.replace(/^t=\d+,/, '')

  it('accepts a signature for five minutes', () => {
    const header = signed(body, { timestamp: nowSeconds - 300 })
    expect(readEvent(Buffer.from(body), header).id).toBe('evt_1')
  })

  it.each([
    ['altered', body.replace('cus_1', 'cus_2'), good, 'signature mismatch'],
    ['with an additional space', `${body} `, good, 'signature mismatch'],
    ['signed with another secret', body, signed(body, { secret: 'whsec_another' }), 'signature mismatch'],
    ['signed for another time', body, `t=${nowSeconds - 1},${signature}`, 'signature mismatch'],
    ['signed too long ago', body, signed(body, { timestamp: nowSeconds - 301 }), 'signature expired'],
    ['signed with an older scheme only', body, good.replace('v1=', 'v0='), 'signature mismatch'],
    ['without a signature', body, undefined, 'no signature'],
    ['with an empty signature', body, '', 'no signature'],
    ['with a malformed signature', body, 'hello', 'malformed signature'],
    ['with an invalid time', body, `t=soon,${signature}`, 'signature mismatch'],
  ])('rejects an event that is %s and says why, without quoting it', (_what, text, header, reason) => {
    const parse = () => readEvent(Buffer.from(text), header)
    expect(parse).toThrow(InvalidSignatureError)
    expect(parse).toThrow(reason)
    expect(parse).not.toThrow(/cus_|whsec_/)
  })

  it.each([
    ['not JSON', 'no json of cus_1', /^invalid JSON$/],
    ['of another kind', '{"object":"v2.core.event"}', /^unsupported kind of event$/],
    ['empty', '', /^invalid JSON$/],
    ['without an id', bodyAbout({}).replace('evt_1', 'e v t_cus_1'), /^id: \w+$/],
  ])('rejects a signed event that is %s, without quoting it', (_what, text, reason) => {
    const parse = () => readEvent(Buffer.from(text), signed(text))
    expect(parse).toThrow(UnreadableEventError)
    expect(parse).toThrow(reason)
    expect(parse).not.toThrow(/cus_|whsec_/)
  })

  it('accepts an event when one of several signatures is valid', () => {
    expect(readEvent(Buffer.from(body), `${good},v1=${'0'.repeat(64)}`).customerId).toBe('cus_1')
  })
})
