import { describe, expect } from 'vitest'
import { createRecipient } from '#test/factories/recipients.ts'
import { overtake } from '#test/row-locks.ts'
import { deliveryTest } from '#test/sites/delivery-site.ts'
import { createSender, exchangeDeliveries, firstPossibleId, releaseUnsent } from './deliveries.repository.ts'
import { getContentVersion } from './runs.repository.ts'
import { ledgerName } from './sent-deliveries.repository.ts'

const it = deliveryTest()
const key = '11-20-26-A'
const dayMs = 24 * 3_600_000

describe('the report of an edition', () => {
  it('counts what the ledger has, whatever becomes of deliveries and members', async ({ delivery }) => {
    const { site, db, desk, script, send } = delivery
    const members = await Promise.all(Array.from({ length: 7 }, () => createRecipient(site)))
    const [refused, lost, throttled, deleted, bounced] = members
    await createRecipient(site, { verified: false })
    const run = await delivery.publish(key)
    await db.member.delete({ where: { id: deleted?.memberId ?? '' } })
    script.answer = async ({ to }) => {
      if (to === refused?.email) return { outcome: 'permanent', code: '550', response: 'no' }
      if (to === lost?.email) return { outcome: 'unknown', code: 'ECONNRESET', response: 'no reply' }
      if (to === throttled?.email) return { outcome: 'temporary', code: '454', response: 'later' }
      return { outcome: 'accepted' }
    }
    await send(run)
    const row = await db.delivery.findFirstOrThrow({ where: { memberId: bounced?.memberId ?? '' } })
    await db.delivery.update({ where: { id: row.id }, data: { state: 'bounced', reason: '5.1.1' } })

    const report = (await desk.call('GET', `/editions/${key}/delivery-report`)).json().data
    expect(report.counts).toEqual([
      { method: 'memo-email', state: 'bounced', reason: '5.1.1', count: 1 },
      { method: 'memo-email', state: 'failed', reason: '550 no', count: 1 },
      { method: 'memo-email', state: 'planned', reason: '454 later', count: 1 },
      { method: 'memo-email', state: 'sent', reason: null, count: 2 },
      { method: 'memo-email', state: 'suppressed', reason: 'account-deleted', count: 1 },
      { method: 'memo-email', state: 'suppressed', reason: 'unverified', count: 1 },
      { method: 'memo-email', state: 'unconfirmed', reason: 'ECONNRESET no reply', count: 1 },
    ])
  })

  it('is complete when archiving was interrupted and continues', async ({ delivery }) => {
    const { site, db, desk, send } = delivery
    for (let each = 0; each < 4; each += 1) await createRecipient(site)
    const run = await delivery.publish(key)
    await send(run)
    site.clock.pass(91 * dayMs)
    const report = (await desk.call('GET', `/editions/${key}/delivery-report`)).json().data
    await db.deliveryRun.update({ where: { id: run?.id ?? 0 }, data: { report } })
    const [first] = await db.delivery.findMany({ take: 1 })
    await db.delivery.delete({ where: { id: first?.id ?? '' } })

    await site.context.removeOld()

    expect([await db.delivery.count(), await db.deliveryCount.count()]).toEqual([0, 0])
    const after = (await desk.call('GET', `/editions/${key}/delivery-report`)).json().data
    expect(after.counts).toEqual([{ method: 'memo-email', state: 'sent', reason: null, count: 4 }])
  })
})

describe('a delivery that is sent again while its run ends', () => {
  it('keeps the run open', async ({ delivery }) => {
    const { site, db, script, send } = delivery
    for (let each = 0; each < 2; each += 1) await createRecipient(site)
    const run = await delivery.publish(key)
    const [first] = await db.delivery.findMany({ take: 1 })
    await db.delivery.update({ where: { id: first?.id ?? '' }, data: { state: 'unconfirmed' } })
    const [handedOver, accepted] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
    script.answer = async () => {
      handedOver.resolve()
      await accepted.promise
      return { outcome: 'accepted' }
    }
    const sending = send(run)
    await handedOver.promise

    await overtake(site, {
      sql: `WITH run AS (SELECT id FROM delivery_run WHERE id = $1 FOR UPDATE)
        UPDATE delivery SET state = 'planned' FROM run WHERE run_id = run.id AND delivery.state = 'unconfirmed'`,
      values: [run?.id],
      begin: async () => {
        accepted.resolve()
        await sending
      },
    })

    expect(await delivery.runOf(key)).toMatchObject({ state: 'sending' })
  })
})

describe('a sender whose statement was stored, but not answered', () => {
  it('releases what it did not hand over, which is then sent once', async ({ delivery }) => {
    const { site, db, script, send } = delivery
    for (let each = 0; each < 3; each += 1) await createRecipient(site)
    const run = await delivery.publish(key)
    const runId = run?.id ?? 0
    const now = site.clock.now()
    const sender = { id: site.context.ids.uuid(), runId, transport: 'email' }
    await createSender(db, sender, 'worker-1:7', now)
    await db.deliveryRun.update({ where: { id: runId }, data: { state: 'sending', activeAt: now } })
    const start = {
      limit: 2,
      method: 'memo_email',
      after: firstPossibleId,
      content: await getContentVersion(db, runId),
      rules: {
        appId: site.context.config.site.appId,
        today: { year: 2026, month: 11, day: 20 },
        pushKey: null,
      },
      timeZone: 'UTC',
      unrendered: [],
    } as const
    const permission = await site.context.sendingGuard.open({
      id: sender.id,
      ledger: ledgerName,
      subject: '',
    })
    if (permission === null) throw new Error('Sending is held')
    const exchange = { outcomes: [], permission, start, now }
    const [handedOver] = await exchangeDeliveries(db, sender, exchange)

    await releaseUnsent(db, sender, [handedOver?.id ?? ''], permission, now)
    await send(run)

    expect(new Set(script.sent.map(({ to }) => to)).size).toBe(2)
    expect(script.sent).toHaveLength(2)
    const left = await db.delivery.findMany({ where: { state: { not: 'sent' } } })
    expect(left).toMatchObject([{ id: handedOver?.id, state: 'sending', attempts: 1 }])
  })
})
