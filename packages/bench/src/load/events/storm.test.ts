import { expect, it } from 'vitest'
import { bodyOf, eventsEach, eventsOf, isSigned, signatureOf } from './storm.ts'

const secret = 'whsec_of_the_test'
const second = 1_763_650_000

it('a storm tells of every customer as often, burst after burst', () => {
  const events = eventsOf(['cus_1', 'cus_2', 'cus_3'], 2)
  expect(events).toHaveLength(3 * eventsEach)
  const told = events.map(({ customerId }) => customerId)
  expect(told.slice(0, 4)).toEqual(['cus_1', 'cus_2', 'cus_1', 'cus_2'])
  expect(new Set(told.slice(0, 2 * eventsEach))).toEqual(new Set(['cus_1', 'cus_2']))
  expect(told.slice(2 * eventsEach)).toEqual(Array(eventsEach).fill('cus_3'))
})

it('an event is about an object of the customer', () => {
  const event = { customerId: 'cus_2', type: 'invoice.paid' }
  const body = bodyOf(event, { id: 'evt_1', object: { id: 'sub_1', customer: 'cus_1' }, seconds: second })
  expect(JSON.parse(body)).toMatchObject({
    id: 'evt_1',
    object: 'event',
    type: 'invoice.paid',
    created: second,
    data: { object: { id: 'sub_1', customer: 'cus_2' } },
  })
})

it.each([
  { name: 'as it was signed', isProof: true },
  { name: 'of another body', body: '{"id":"evt_2"}', isProof: false },
  { name: 'with another secret', secret: 'whsec_other', isProof: false },
  { name: 'that is too old', now: second + 301, isProof: false },
  { name: 'that is none', header: 'v1=', isProof: false },
])('a signature $name proves something: $isProof', (given) => {
  const header = given.header ?? signatureOf('{"id":"evt_1"}', secret, second)
  const body = Buffer.from(given.body ?? '{"id":"evt_1"}')
  const proof = { secret: given.secret ?? secret, now: given.now ?? second, toleranceSeconds: 300 }
  expect(isSigned(body, header, proof)).toBe(given.isProof)
})
