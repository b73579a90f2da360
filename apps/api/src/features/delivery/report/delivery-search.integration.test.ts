import { describe, expect } from 'vitest'
import { createCapturedLog } from '#test/captured-log.ts'
import { refusalOf } from '#test/desk.ts'
import { createRecipient, createSmsRecipient } from '#test/factories/recipients.ts'
import { deliveryTest } from '#test/sites/delivery-site.ts'

const log = createCapturedLog()
const it = deliveryTest({ overrides: { logger: log.logger } }).extend(
  'find',
  { scope: 'file' },
  ({ delivery: { desk } }) =>
    async (body: object, query = '') => {
      const reply = await desk.call('POST', `/deliveries/search${query}`, { body })
      expect(reply.statusCode).toBe(200)
      return reply.json()
    },
)

const keys = ['11-20-26-A', '11-20-26-B', '11-20-26-C']

describe('POST /desk/v1/deliveries/search', () => {
  it("returns a member's deliveries newest first, in pages, by id and address", async ({
    delivery,
    find,
  }) => {
    const { site, send } = delivery
    const ann = await createRecipient(site)
    await createRecipient(site)
    for (const key of keys) await send(await delivery.publish(key))

    const { data, next } = await find({ member: ann.memberId })
    expect(next).toBeNull()
    expect(data.map(({ edition }: { edition: string }) => edition)).toEqual([...keys].reverse())
    const [newest] = data
    expect(newest).toMatchObject({ member: ann.memberId, state: 'sent', attempts: 1, waiting: null })
    expect(newest.recipient).toBe('r•••@example.com')
    expect(newest.attemptLog).toEqual([
      { at: newest.handedOverAt, outcome: 'accepted', reply: '', messageId: newest.messageId },
    ])
    const shouted = ` ${ann.email.toUpperCase()} `
    expect((await find({ address: shouted })).data).toEqual(data)

    const first = await find({ address: ann.email }, '?limit=2')
    const second = await find({ address: ann.email }, `?limit=2&after=${first.next}`)
    expect([...first.data, ...second.data]).toEqual(data)
    expect(second.next).toBeNull()
  })

  it('shows each attempt with its time and reply', async ({ delivery, find }) => {
    const { site, script, send } = delivery
    const ann = await createRecipient(site)
    const run = await delivery.publish('11-20-26-A')
    const replies = [
      { outcome: 'temporary', code: '451', response: 'later' },
      { outcome: 'unavailable', code: 'ECONNREFUSED', response: '' },
      { outcome: 'accepted' },
    ] as const
    const times: string[] = []
    for (const reply of replies) {
      script.answer = async () => reply
      await send(run)
      times.push(site.clock.now().toISOString())
      site.clock.pass(3_600_000)
    }

    const [{ attemptLog, messageId }] = (await find({ member: ann.memberId })).data
    expect(attemptLog).toEqual([
      { at: times[0], outcome: 'temporary', reply: '451 later', messageId },
      { at: times[1], outcome: 'unavailable', reply: 'ECONNREFUSED', messageId },
      { at: times[2], outcome: 'accepted', reply: '', messageId },
    ])
  })

  it('is in the audit log with the members who were found, without their addresses', async ({
    delivery,
    find,
  }) => {
    const ann = await createRecipient(delivery.site)
    const before = (await delivery.desk.auditOf('members')).length
    await find({ address: ann.email })

    const lines = (await delivery.desk.auditOf('members')).slice(before)

    expect(lines).toMatchObject([
      { action: 'member.deliveries', details: { by: 'address', found: [ann.memberId] } },
    ])
    expect(JSON.stringify(lines)).not.toContain(ann.email)
  })

  it('stores no attempts of a delivery that was accepted at once', async ({ delivery }) => {
    await createRecipient(delivery.site)
    await delivery.send(await delivery.publish('11-20-26-A'))
    expect(await delivery.db.delivery.findMany()).toMatchObject([{ state: 'sent', attemptLog: null }])
  })

  it.for([
    ['permanent', { outcome: 'permanent', code: '550', response: 'no such user' }, '550 no such user'],
    ['unknown', { outcome: 'unknown', code: 'ECONNECTION', response: 'no reply' }, 'ECONNECTION no reply'],
  ] as const)(
    'shows an attempt that was %s, also after it is sent again',
    async (row, { delivery, find }) => {
      const [outcome, answer, reply] = row
      const { site, script, send, desk } = delivery
      const ann = await createRecipient(site)
      const run = await delivery.publish('11-20-26-A')
      script.answer = async () => answer
      await send(run)
      const [failed] = (await find({ member: ann.memberId })).data
      expect(failed.attemptLog).toMatchObject([{ outcome, reply }])
      if (outcome === 'permanent') return

      await desk.call('POST', `/deliveries/${failed.id}/resolve`, { body: { as: 'send-again' } })
      script.answer = async () => ({ outcome: 'accepted' })
      await send(run)
      const [sent] = (await find({ member: ann.memberId })).data
      expect(sent.attemptLog).toMatchObject([{ outcome, reply }, { outcome: 'accepted' }])
    },
  )

  it('shows one attempt of a lost worker, whose reply arrived after all', async ({ delivery, find }) => {
    const { site, script, send, sweep } = delivery
    const ann = await createRecipient(site)
    const run = await delivery.publish('11-20-26-A')
    let lost: unknown
    script.answer = async () => {
      site.clock.pass(120_000)
      await delivery.db.deliverySender.deleteMany()
      await sweep()
      lost = (await find({ member: ann.memberId })).data[0].attemptLog
      return { outcome: 'accepted' }
    }
    await send(run)
    expect(lost).toMatchObject([{ outcome: 'unknown' }])
    const [found] = (await find({ member: ann.memberId })).data
    expect([found.state, found.attemptLog.length, found.attemptLog[0].outcome]).toEqual([
      'sent',
      1,
      'accepted',
    ])
  })

  it.for(['+1 (202) 555-0177', '202-555-0177', '+12025550177'])(
    'finds the number %s',
    async (number, { delivery, find }) => {
      const { site, db } = delivery
      const ann = await createSmsRecipient(site, {
        number: '+12025550177',
        methods: { getmemomethodbyemail: true },
      })
      await delivery.publish('11-20-26-A')
      expect((await find({ number })).data).toMatchObject([{ member: ann.memberId }])
      await db.memberPhone.deleteMany()
      expect((await find({ number })).data).toEqual([])
    },
  )

  it('finds what was sent to an address or number that the member has no longer', async ({
    delivery,
    find,
  }) => {
    const { site, db, send } = delivery
    const ann = await createSmsRecipient(site, {
      number: '+12025550178',
      methods: { getmemomethodbyemail: true },
    })
    await send(await delivery.publish('11-20-26-A'))
    await db.delivery.updateMany({ data: { recipient: '+12025550178' } })
    await send(await delivery.publish('11-20-26-B'))
    const data = { email: 'new@example.com', verified: false }
    await db.member.update({ where: { id: ann.memberId }, data })
    await db.memberPhone.update({ where: { memberId: ann.memberId }, data: { number: '+12025550179' } })

    const ofEdition = async (body: object) =>
      (await find(body)).data.map(({ edition }: { edition: string }) => edition)
    expect(await ofEdition({ address: ann.email })).toEqual(['11-20-26-B'])
    expect(await ofEdition({ number: '+12025550178' })).toEqual(['11-20-26-A'])
    expect(await ofEdition({ address: 'new@example.com' })).toEqual(['11-20-26-B', '11-20-26-A'])

    const heir = await createRecipient(site)
    await db.member.update({ where: { id: heir.memberId }, data: { email: ann.email } })
    const run = await delivery.publish('11-20-26-C')
    await send(run)
    expect(await ofEdition({ address: ann.email })).toEqual(['11-20-26-C', '11-20-26-B'])
  })

  it('finds nothing by what a deleted member had', async ({ delivery, find }) => {
    const { site, db, send } = delivery
    const ann = await createSmsRecipient(site, {
      number: '+12025550180',
      methods: { getmemomethodbyemail: true },
    })
    await send(await delivery.publish('11-20-26-A'))
    const former = { email: 'later@example.com' }
    await db.member.update({ where: { id: ann.memberId }, data: former })
    await db.member.delete({ where: { id: ann.memberId } })
    for (const body of [
      { member: ann.memberId },
      { address: ann.email },
      { address: former.email },
      { number: '+12025550180' },
    ]) {
      expect(await find(body)).toEqual({ data: [], next: null })
    }
    expect(await db.formerRecipient.count()).toBe(0)
  })

  it.for([
    {},
    { member: '' },
    { member: 'who@example.com' },
    { address: 'nobody' },
    { number: 'secret' },
    { member: 'mem_1', address: 'who@example.com' },
    { email: 'who@example.com' },
    { address: ['who@example.com'] },
  ])('refuses %o and names nothing of it', async (body, { delivery: { desk } }) => {
    const refusal = refusalOf(await desk.call('POST', '/deliveries/search', { body }))
    expect(refusal).toMatchObject({ status: 400, code: 'invalid-request' })
    expect(refusal.message).not.toMatch(/who@|nobody|secret/)
  })

  it('leaves no address in logs, in the audit log or in what is kept for repetitions', async ({
    delivery,
  }) => {
    const { desk, db, site } = delivery
    const ann = await createSmsRecipient(site, { number: '+12025550181' })
    const marks = [ann.email, '2025550181', 'unknown-reader@example.com', 'not an address']
    for (const [index, body] of [
      { address: ann.email },
      { number: ann.number },
      { address: 'unknown-reader@example.com' },
      { address: 'not an address' },
      { address: 5, number: ann.number },
    ].entries()) {
      await desk.call('POST', '/deliveries/search', { body, key: `search-${index}` })
    }
    const kept = JSON.stringify([
      log.lines,
      await db.auditEntry.findMany(),
      await db.idempotencyRecord.findMany(),
    ])
    for (const mark of marks) expect(kept).not.toContain(mark)
  })

  it('needs the scope read, and no other', async ({ delivery: { desk } }) => {
    const other = await desk.keyWith('publish', 'write')
    const reader = await desk.keyWith('read')
    const search = (as: string) => desk.call('POST', '/deliveries/search', { as, body: { member: 'mem_1' } })
    expect(refusalOf(await search(other.as))).toMatchObject({ status: 403, code: 'scope-missing' })
    expect((await search(reader.as)).statusCode).toBe(200)
    expect(refusalOf(await search('')).code).toBe('invalid-api-key')
  })
})
