import { deliveryMethod } from '@tidings/contracts/delivery/deliveries'
import { afterAll, describe, expect } from 'vitest'
import { refusalOf } from '#test/desk.ts'
import { deliveryTest } from '#test/sites/delivery-site.ts'
import { startPhones } from '#test/sms/phones.ts'

const phones = await startPhones()
afterAll(() => phones.stop())

const it = deliveryTest({ env: phones.env })
const email = 'desk@example.com'
const number = '+12025557777'
const edition = '/editions/11-20-26-A'
const digest = '/digests/11-20-26'

describe('the desk', () => {
  it.for([
    ['memo-email', edition, email],
    ['memo-sms', edition, number],
    ['pdf-email', edition, email],
    ['pdf-sms', edition, number],
    ['digest', digest, email],
  ] as const)('previews %s and sends it as a test', async ([method, path, to], { delivery }) => {
    const { desk, script, db } = delivery
    await delivery.publish('11-20-26-A', [`Ships by ${method}`])

    const preview = (await desk.call('GET', `${path}/preview/${method}`)).json().data
    expect(preview.text).toContain(`Ships by ${method}`)
    expect([preview.html === '', preview.texts === null]).toEqual([to === number, to === email])
    const reply = await desk.call('POST', `${path}/test-send`, { body: { method, to } })

    expect(reply.json().data).toEqual({ outcome: 'accepted', response: '' })
    const received = to === email ? script.sent.map(({ text }) => text) : await phones.textsTo(number)
    expect(received[0]).toContain(`Ships by ${method}`)
    expect(await db.delivery.count()).toBe(0)
  })

  it.for([
    ['an edition as digest', edition, 'digest', email],
    ['a digest as PDF by text', digest, 'pdf-sms', number],
    ['a digest as memos', digest, 'memo-email', email],
    ['an unknown method', edition, 'fax', number],
  ] as const)('refuses %s', async ([_what, path, method, to], { delivery }) => {
    const { desk } = delivery
    await delivery.publish('11-20-26-A')
    const refused = { status: 400, code: 'invalid-request' }
    expect(refusalOf(await desk.call('GET', `${path}/preview/${method}`))).toMatchObject(refused)
    const reply = await desk.call('POST', `${path}/test-send`, { body: { method, to } })
    expect(refusalOf(reply)).toMatchObject(refused)
  })

  it('describes each method in OpenAPI', async ({ delivery: { site } }) => {
    const { paths } = (await site.app.inject('/openapi.json')).json()
    const editionMethods = deliveryMethod.options.filter((method) => method !== 'digest')
    for (const [kind, methods] of [
      ['editions/{key}', editionMethods],
      ['digests/{date}', ['digest']],
    ] as const) {
      const { parameters } = paths[`/desk/v1/${kind}/preview/{method}`].get
      const named = parameters.find(({ name }: { name: string }) => name === 'method')
      const { requestBody } = paths[`/desk/v1/${kind}/test-send`].post
      const body = requestBody.content['application/json'].schema
      expect(named.schema.enum).toEqual(methods)
      expect(body.properties.method.enum).toEqual(deliveryMethod.options)
    }
  })
})
