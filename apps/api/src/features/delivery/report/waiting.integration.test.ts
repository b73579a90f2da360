import { describe, expect } from 'vitest'
import type { BulkResult } from '#integrations/mail/bulk-mailer.ts'
import type { SmsResult } from '#integrations/sms/sms-sender.ts'
import { createRecipient, createSmsRecipient } from '#test/factories/recipients.ts'
import { deliveryTest } from '#test/sites/delivery-site.ts'
import { listDeliveries } from '../ledger/report.repository.ts'
import { createWaiting, waitingOf } from './waiting.service.ts'

const key = '11-20-26-A'
const path = `/editions/${key}`
const hourMs = 3_600_000
const accepted: SmsResult = { outcome: 'accepted', id: 'SM1' }
const sms: { answer: SmsResult } = { answer: accepted }
const all = { state: undefined, method: undefined }
const account = {
  TWILIO_ACCOUNT_SID: `AC${'0'.repeat(32)}`,
  TWILIO_AUTH_TOKEN: 'token',
  TWILIO_FROM: '+15005550006',
}

const it = deliveryTest({
  env: { ...account, SMS_PER_SECOND: '1' },
  overrides: { smsSender: { concurrency: 2, send: async () => sms.answer, listTo: async () => [] } },
}).extend('waiting', { scope: 'file' }, ({ delivery: { desk } }) => ({
  async ofReport() {
    const report = (await desk.call('GET', `${path}/delivery-report`)).json().data
    return report.waiting
  },
  async ofList(): Promise<unknown[]> {
    const rows = (await desk.call('GET', `${path}/deliveries`)).json().data
    return rows.map((row: { waiting: { reason: string } | null }) => row.waiting?.reason ?? null)
  },
}))
it.beforeEach(({ delivery }) => {
  sms.answer = accepted
  return delivery.db.deliveryServer.deleteMany().then(() => {})
})

const refusals: readonly (readonly [BulkResult, string])[] = [
  [{ outcome: 'temporary', code: '451', response: '4.7.0 try again later' }, 'rate-limit'],
  [{ outcome: 'temporary', code: '450', response: '4.2.1 receiving at a rate' }, 'rate-limit'],
  [{ outcome: 'unavailable', code: 'ECONNREFUSED', response: 'connect' }, 'server-unavailable'],
  [{ outcome: 'unavailable', code: '535', response: '5.7.8 login refused' }, 'server-unavailable'],
  [{ outcome: 'unavailable', code: '421', response: 'closing' }, 'server-unavailable'],
  [
    { outcome: 'unavailable', code: 'ENOTCONFIGURED', response: 'no mail server is configured' },
    'server-unavailable',
  ],
]

describe('emails that are not sent', () => {
  it.for(refusals)(
    'after %o wait for %s, until they are accepted',
    async ([answer, reason], { delivery, waiting }) => {
      const { site, script, send } = delivery
      for (let each = 0; each < 3; each += 1) await createRecipient(site)
      const run = await delivery.publish(key)
      script.answer = async () => answer
      await send(run)

      const [named, ...others] = await waiting.ofReport()
      expect([named, others]).toMatchObject([{ transport: 'email', reason }, []])
      expect(named.message).toContain('code' in answer ? answer.code : '')
      expect(named.message).not.toContain('@')
      expect(new Set(await waiting.ofList())).toEqual(new Set([reason]))
      if (reason === 'rate-limit') {
        expect(named.until).toBe(new Date(site.clock.now().getTime() + 60_000).toISOString())
      }

      script.answer = async () => ({ outcome: 'accepted' })
      for (let minute = 0; minute < 3; minute += 1) await send(run)
      expect([await waiting.ofReport(), await waiting.ofList()]).toEqual([[], [null, null, null]])
      expect(await delivery.db.deliveryServer.count()).toBe(0)
    },
  )

  it('because five replies in a row were lost wait for the server', async ({ delivery, waiting }) => {
    const { site, script, send } = delivery
    for (let each = 0; each < 9; each += 1) await createRecipient(site)
    const run = await delivery.publish(key)
    script.answer = async () => ({
      outcome: 'unknown',
      code: 'ECONNECTION',
      response: 'no reply after the message',
    })
    await send(run)
    expect(await waiting.ofReport()).toMatchObject([{ reason: 'server-unavailable', until: null }])
    expect(await waiting.ofList()).toContain('server-unavailable')
  })

  it.for([
    ['stopped', { state: 'stopped' }, 'stopped'],
    ['held', { state: 'held', heldReason: 'It missed its time by 40 minutes.' }, 'held'],
  ] as const)('of a %s run say so', async ([_name, change, reason], { delivery, waiting }) => {
    await createRecipient(delivery.site)
    await delivery.publish(key)
    await delivery.db.deliveryRun.updateMany({ data: change })
    expect(await waiting.ofReport()).toMatchObject([{ transport: 'email', reason, until: null }])
    expect(await waiting.ofList()).toEqual([reason])
  })

  it('because all sending is held, or the database was restored, say so', async ({ delivery, waiting }) => {
    const { site, db } = delivery
    const { deliveryOperations } = site.context
    await createRecipient(site)
    await delivery.publish(key)
    await deliveryOperations.hold()
    expect(await waiting.ofReport()).toMatchObject([
      { reason: 'held', message: 'An operator holds all sending.' },
    ])
    expect(await waiting.ofList()).toEqual(['held'])
    await deliveryOperations.release()
    await db.deliveryControl.updateMany({ data: { instance: 'another' } })
    const [restored] = await waiting.ofReport()
    expect([restored.reason, restored.message]).toEqual(['held', expect.stringContaining('restored')])
    await deliveryOperations.confirmInstance()
    expect(await waiting.ofReport()).toEqual([])
  })

  it('past their time because no worker runs say so', async ({ delivery, waiting }) => {
    await createRecipient(delivery.site)
    await delivery.publish(key)
    expect(await waiting.ofReport()).toEqual([])
    delivery.site.clock.pass(5 * 60_000)
    expect(await waiting.ofReport()).toMatchObject([{ reason: 'no-worker' }])
  })

  it('are not reported as waiting before their time or while they are sent', async ({
    delivery,
    waiting,
  }) => {
    const { site, script, send } = delivery
    for (let each = 0; each < 5; each += 1) await createRecipient(site)
    const run = await delivery.publish(key)
    expect([await waiting.ofReport(), await waiting.ofList()]).toEqual([[], [null, null, null, null, null]])
    const seen: unknown[] = []
    script.answer = async () => {
      seen.push(...(await waiting.ofReport()), ...(await waiting.ofList()).filter((each) => each !== null))
      return { outcome: 'accepted' }
    }
    await send(run)
    expect(seen).toEqual([])
  })
})

describe('emails to a domain that refuses us', () => {
  it('wait, and name it; those to other domains are sent', async ({ delivery, waiting }) => {
    const { site, db, send } = delivery
    const [ann, bob] = await Promise.all([createRecipient(site), createRecipient(site)])
    await db.member.update({ where: { id: ann?.memberId ?? '' }, data: { email: 'ann@refusing.example' } })
    const run = await delivery.publish(key)
    site.clock.pass(60_000)
    const until = new Date(site.clock.now().getTime() + 600_000)
    const at = site.clock.now()
    const reply = '550 5.7.1 blocked'
    await db.refusingDomain.create({
      data: {
        domain: 'refusing.example',
        since: at,
        refusals: 1,
        firstReply: reply,
        lastReply: reply,
        lastRefusedAt: at,
        waits: 1,
        retryAt: until,
      },
    })
    const refusing = createWaiting({
      clock: site.clock,
      sendingGuard: site.context.sendingGuard,
      timeZone: 'America/Los_Angeles',
      smsPerSecond: 0,
    })

    const current = await db.deliveryRun.findFirstOrThrow()
    expect(await refusing.ofRun(db, current)).toEqual([
      {
        transport: 'email',
        reason: 'domain-refuses',
        until: until.toISOString(),
        message: expect.stringContaining('refusing.example refuses our emails (550 5.7.1 blocked)'),
      },
    ])
    const facts = await refusing.readFacts(db)
    const reasons = (await listDeliveries(db, current, { limit: 5, after: undefined }, all)).map((row) => [
      row.memberId,
      waitingOf(row, facts)?.reason ?? null,
    ])
    expect(Object.fromEntries(reasons)).toEqual({
      [ann?.memberId ?? '']: 'domain-refuses',
      [bob?.memberId ?? '']: null,
    })
    await send(run)
    expect(await waiting.ofReport()).toMatchObject([{ reason: 'domain-refuses' }])
    await db.refusingDomain.deleteMany()
    await send(run)
    expect(await waiting.ofReport()).toEqual([])
  })
})

describe('emails to many domains that refuse us', () => {
  it('are explained by the first domains and the number of the others', async ({ delivery, waiting }) => {
    const { site, db, script } = delivery
    for (let each = 0; each < 23; each += 1) {
      const { memberId } = await createRecipient(site)
      await db.member.update({ where: { id: memberId }, data: { email: `ann@refusing-${each}.example` } })
    }
    const run = await delivery.publish(key)
    script.answer = async () => ({ outcome: 'permanent', code: '550', response: '5.7.1 block list' })
    await delivery.send(run)
    // A refused message itself is tried again later than its domain.
    await db.delivery.updateMany({ data: { nextAttemptAt: null } })
    const reasons = await waiting.ofReport()
    expect(reasons).toHaveLength(21)
    expect(reasons.at(-1)).toMatchObject({
      reason: 'domain-refuses',
      message: '3 more domains refuse our emails.',
    })

    await delivery.send(run)
    await db.delivery.updateMany({ data: { nextAttemptAt: new Date(site.clock.now().getTime() + hourMs) } })
    await db.refusingDomain.deleteMany()
    expect(await waiting.ofReport()).toMatchObject([{ reason: 'domain-refuses' }])
  })
})

describe('texts that are not sent', () => {
  it('at night wait for the end of quiet hours, while emails are sent', async ({ delivery, waiting }) => {
    const { site, send, sendSms } = delivery
    await createRecipient(site)
    // 18:00 in London is early; it is 02:00 in Tokyo.
    await createSmsRecipient(site, { timeZone: 'Asia/Tokyo' })
    const run = await delivery.publish(key)
    await send(run)
    await sendSms(run)

    const [named, ...others] = await waiting.ofReport()
    expect([named, others]).toMatchObject([{ transport: 'sms', reason: 'quiet-hours' }, []])
    expect(named.until).toBe('2026-11-20T23:00:00.000Z')
    expect(named.message).toContain('Nov 20, 2026, 3:00 PM')
    expect((await waiting.ofList()).sort()).toEqual([null, 'quiet-hours'])
    const report = (await delivery.desk.call('GET', `${path}/delivery-report`)).json().data
    expect(report.counts).toContainEqual({
      method: 'memo-sms',
      state: 'planned',
      reason: 'quiet-hours',
      count: 1,
    })

    site.clock.moveTo(new Date(named.until))
    await sendSms(run)
    expect(await waiting.ofReport()).toEqual([])
  })

  it.for([
    [{ outcome: 'temporary', code: '20429', response: 'Too Many Requests' }, 'rate-limit'],
    [{ outcome: 'temporary', code: '21611', response: 'queue full' }, 'rate-limit'],
    [{ outcome: 'unavailable', code: '20003', response: 'Authenticate' }, 'server-unavailable'],
    [{ outcome: 'unavailable', code: 'ECONNREFUSED', response: '' }, 'server-unavailable'],
  ] as const)('after %o wait for %s', async ([answer, reason], { delivery, waiting }) => {
    await createSmsRecipient(delivery.site)
    const run = await delivery.publish(key)
    sms.answer = answer
    await delivery.sendSms(run)
    expect(await waiting.ofReport()).toMatchObject([{ transport: 'sms', reason }])
    expect(await waiting.ofList()).toEqual([reason])
  })

  it('faster than SMS_PER_SECOND allows wait for it', async ({ delivery, waiting }) => {
    const { site, db } = delivery
    await createSmsRecipient(site)
    const run = await delivery.publish(key)
    await db.$executeRaw`UPDATE delivery_count SET count = 90 WHERE run_id = ${run?.id ?? 0}`
    site.clock.pass(60_000)
    expect(await waiting.ofReport()).toMatchObject([
      { transport: 'sms', reason: 'rate-limit', message: expect.stringContaining('1 are sent each second') },
    ])
  })
})

it('a rate limit that ends in quiet hours waits for their end', async ({ delivery, waiting }) => {
  const { site, sendSms } = delivery
  await createSmsRecipient(site, { timeZone: 'Europe/London' })
  const run = await delivery.publish(key)
  sms.answer = { outcome: 'temporary', code: '20429', response: 'Too Many Requests' }
  await sendSms(run)
  expect(await waiting.ofReport()).toMatchObject([{ reason: 'rate-limit' }])
  site.clock.pass(5 * hourMs)
  await sendSms(run)
  expect(await waiting.ofReport()).toMatchObject([
    { reason: 'quiet-hours', until: '2026-11-21T08:00:00.000Z' },
  ])
})
