import { afterAll, describe, expect } from 'vitest'
import { refusalOf } from '#test/desk.ts'
import { createRecipient, createSmsRecipient } from '#test/factories/recipients.ts'
import { createTestPeople } from '#test/passkeys/people.ts'
import { deliveryTest } from '#test/sites/delivery-site.ts'
import { startPhones } from '#test/sms/phones.ts'

const phones = await startPhones()
afterAll(() => phones.stop())

const it = deliveryTest({
  env: { ...phones.env, SMS_DAILY_CAP: '6', RATE_TEST_SENDS_PER_HOUR: '5', SMS_COUNTRIES: 'us, CA,US' },
})
const key = '11-20-26-A'
it.beforeEach(async ({ delivery }) => {
  await phones.setFaults({})
  await delivery.db.limitedText.deleteMany()
  await delivery.publish(key)
})

let made = 0
const freshNumber = () => {
  made += 1
  return `+1213373${2_000 + made}`
}

describe('a test', () => {
  it('is limited for each key, by email and by text together', async ({ delivery: { desk } }) => {
    const anna = await desk.keyWith('publish')
    const bert = await desk.keyWith('publish')
    const send = (as: string, method: string, to: string) =>
      desk.call('POST', `/editions/${key}/test-send`, { body: { method, to }, as })
    const replies = await Promise.all([
      ...[1, 2, 3, 4, 5, 6].map(() => send(anna.as, 'memo-email', 'desk@example.com')),
      send(anna.as, 'memo-sms', freshNumber()),
    ])

    const refused = replies.filter(({ statusCode }) => statusCode !== 200)
    expect(refused.map(({ statusCode }) => statusCode)).toEqual([429, 429])
    for (const reply of refused) {
      expect(refusalOf(reply).code).toBe('too-many-requests')
      expect(Number(reply.headers['retry-after'])).toBeGreaterThan(3_000)
    }
    expect((await send(bert.as, 'memo-email', 'desk@example.com')).statusCode).toBe(200)
  })

  it('of a writer goes to their own address only', async ({ delivery }) => {
    const people = createTestPeople(delivery.site)
    const [writer, editor] = [await people.add('writer'), await people.add('editor')]
    const send = (as: typeof writer, to: string) =>
      people.as(as, 'POST', `/editions/${key}/test-send`, { body: { method: 'memo-email', to } })

    const own = await send(writer, writer.email)
    const foreign = await send(writer, editor.email)
    const byText = await people.as(writer, 'POST', `/editions/${key}/test-send`, {
      body: { method: 'memo-sms', to: freshNumber() },
    })
    const byEditor = await send(editor, writer.email)

    expect([own.statusCode, byEditor.statusCode]).toEqual([200, 200])
    for (const reply of [foreign, byText])
      expect(refusalOf(reply)).toMatchObject({ status: 403, code: 'own-address-only' })
  })

  it('by text counts towards the daily cap, of which half is kept for members', async ({ delivery }) => {
    const { desk, site } = delivery
    const { as } = await desk.keyWith('publish')
    const send = () =>
      desk.call('POST', `/editions/${key}/test-send`, { body: { method: 'memo-sms', to: freshNumber() }, as })
    const replies = await Promise.all([1, 2, 3, 4].map(send))
    const refused = replies.filter(({ statusCode }) => statusCode !== 200)
    expect(refused.map((reply) => [refusalOf(reply).code, reply.headers['retry-after']])).toEqual([
      ['too-many-requests', '86400'],
    ])
    expect(refused[0]?.json().error.message).toContain('SMS_DAILY_CAP')
    site.clock.pass(86_400_000)
    expect((await send()).statusCode).toBe(200)
  })

  it('that was not sent does not count, and neither does an edition', async ({ delivery }) => {
    const { desk, site, db } = delivery
    const { as } = await desk.keyWith('publish')
    await phones.setFaults({ rateLimitEvery: 1 })
    const body = { method: 'memo-sms', to: freshNumber() }
    const reply = await desk.call('POST', `/editions/${key}/test-send`, { body, as })
    expect(reply.json().data.outcome).toBe('temporary')
    await phones.setFaults({})
    for (let each = 0; each < 8; each += 1) await createSmsRecipient(site)
    const run = await delivery.publish('11-20-26-B')
    await delivery.sendSms(run)
    expect(await db.delivery.count({ where: { runId: run?.id ?? 0, state: 'sent' } })).toBe(8)
    expect(await db.limitedText.count()).toBe(0)
  })

  it.for([
    ['+4915123456789', 'country-not-served'],
    ['+18762101234', 'country-not-served'],
    ['+881612345678', 'country-not-served'],
    ['+18002345678', 'not-mobile'],
    ['+19002345678', 'not-mobile'],
  ] as const)('is not texted to %s: %s', async ([to, code], { delivery: { desk } }) => {
    const { as } = await desk.keyWith('publish')
    const body = { method: 'memo-sms', to }
    const refusal = refusalOf(await desk.call('POST', `/editions/${key}/test-send`, { body, as }))
    expect(refusal).toMatchObject({ status: 400, code })
    expect(refusal.message).toContain('Canada and United States')
    expect(await phones.textsTo(to)).toEqual([])
  })

  it('names the recipient in the audit log: a member by id, another address by a hash', async ({
    delivery,
  }) => {
    const { desk, site } = delivery
    const { as } = await desk.keyWith('publish')
    const member = await createRecipient(site)
    const texted = await createSmsRecipient(site, { number: freshNumber() })
    const stranger = freshNumber()
    const strangers = ['a.stranger@example.com', 'A.Stranger@EXAMPLE.com']
    for (const to of [member.email.toUpperCase(), texted.number, ...strangers, stranger]) {
      const method = to.startsWith('+') ? 'memo-sms' : 'memo-email'
      const sent = await desk.call('POST', `/editions/${key}/test-send`, { body: { method, to }, as })
      expect(sent.statusCode).toBe(200)
    }

    const entries = (await desk.auditOf(key)).filter(({ action }) => action === 'delivery.test-send')
    const details = entries.slice(-5).map((entry) => entry.details)
    expect(details.map(({ recipient }) => recipient)).toEqual([
      { members: [member.memberId] },
      { members: [texted.memberId] },
      { hash: expect.stringMatching(/^[\w-]{22}$/) },
      details[2]?.recipient,
      { hash: expect.stringMatching(/^[\w-]{22}$/) },
    ])
    expect(details[0]).toMatchObject({ method: 'memo-email', outcome: 'accepted' })
    expect(JSON.stringify(details)).not.toMatch(/stranger|example\.com|\+1213/i)
  })
})
