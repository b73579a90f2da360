import { describe, expect } from 'vitest'
import { publishedEdition } from '#test/factories/editions.ts'
import { createRecipient } from '#test/factories/recipients.ts'
import { deliveryTest } from '#test/sites/delivery-site.ts'
import { startTestApp } from '#test/test-app.ts'
import { waitOptions } from '#test/wait-options.ts'

const it = deliveryTest({ env: { UNCONFIRMED_AS: 'send-again', UNCONFIRMED_AFTER_HOURS: '2' } })
  /** Stores what a worker leaves that was killed while it handed over a delivery. Returns the delivery. */
  .extend('killWorker', { scope: 'file' }, ({ delivery: { db, site } }) => async (runId: number) => {
    const id = site.context.ids.uuid()
    const claimedAt = site.clock.now()
    await db.deliverySender.create({ data: { id, runId, process: 'worker-1:7', heartbeatAt: claimedAt } })
    const [first] = await db.delivery.findMany({ where: { runId }, orderBy: { id: 'asc' }, take: 1 })
    const change = { state: 'sending', attempts: 1, claimedBy: id, claimedAt } as const
    return await db.delivery.update({ where: { id: first?.id ?? '' }, data: change })
  })

const minuteMs = 60_000

describe('a killed worker', () => {
  it('leaves only what it was handing over unconfirmed, which an editor resolves', async ({
    delivery,
    killWorker,
  }) => {
    const { site, desk, db, script, send, sweep } = delivery
    for (let each = 0; each < 4; each += 1) await createRecipient(site)
    const run = await delivery.publish('11-20-26-A')
    await send(await delivery.publish('11-20-26-B'))
    script.sent.length = 0
    await db.deliveryRun.update({ where: { id: run?.id ?? 0 }, data: { state: 'planned' } })
    const lost = await killWorker(run?.id ?? 0)

    await sweep()
    await send(run)
    expect(script.sent).toHaveLength(3)
    expect((await desk.call('GET', '/deliveries?state=unconfirmed')).json().data).toEqual([])
    site.clock.pass(40_000)
    await sweep()
    await send(run)

    expect(script.sent).toHaveLength(3)
    const list = await desk.call('GET', '/deliveries?state=unconfirmed')
    expect(list.json().data).toMatchObject([
      {
        id: lost.id,
        edition: '11-20-26-A',
        state: 'unconfirmed',
        attempts: 1,
        reason: 'The worker worker-1:7 stopped while it handed over the message.',
        messageId: `delivery-${lost.id}`,
      },
    ])
    const resolve = async (as: string) =>
      (await desk.call('POST', `/deliveries/${lost.id}/resolve`, { body: { as } })).statusCode
    expect([await resolve('send-again'), await resolve('sent')]).toEqual([200, 409])
    await send(run)
    expect(script.sent.map(({ messageId }) => messageId)).toContain(`delivery-${lost.id}`)
    expect(new Set(script.sent.map(({ to }) => to)).size).toBe(4)
    expect(await delivery.runOf('11-20-26-A')).toMatchObject({ state: 'done' })
  })

  it('leaves a run that the sweep ends when nothing is left to send', async ({ delivery, killWorker }) => {
    await createRecipient(delivery.site)
    const { id } = (await delivery.publish('11-20-26-A')) ?? { id: 0 }
    await killWorker(id)
    await delivery.db.deliveryRun.update({ where: { id }, data: { state: 'sending' } })
    delivery.site.clock.pass(minuteMs)
    await delivery.sweep()
    expect(await delivery.runOf('11-20-26-A')).toMatchObject({ state: 'done' })
  })

  it('is resolved by the setting after its hours', async ({ delivery, killWorker }) => {
    const { site, script, send, sweep } = delivery
    await createRecipient(site)
    const run = await delivery.publish('11-20-26-A')
    await killWorker(run?.id ?? 0)
    site.clock.pass(minuteMs)
    await sweep()
    await send(run)
    expect(script.sent).toEqual([])

    site.clock.pass(121 * minuteMs)
    await sweep()
    await send(run)
    expect(script.sent).toHaveLength(1)
  })

  it('counts as sent after its hours, if the setting says so', async ({ delivery, killWorker }) => {
    const { site, script, send, sweep, stateOf } = delivery
    const { memberId } = await createRecipient(site)
    const run = await delivery.publish('11-20-26-A')
    await killWorker(run?.id ?? 0)
    site.clock.pass(minuteMs)
    await sweep()
    const { database, site: config } = site.context.config
    const other = await startTestApp({
      databaseUrl: database.url,
      working: false,
      env: {
        UNCONFIRMED_AS: 'sent',
        UNCONFIRMED_AFTER_HOURS: '2',
        EDITION_SLOTS: config.slots.map(({ label }) => `${label}=20:00`).join(','),
      },
      overrides: { clock: site.clock },
    })

    site.clock.pass(119 * minuteMs)
    await other.context.deliverySchedule.sweep()
    expect(await stateOf(run, memberId)).toMatch(/^unconfirmed/)
    site.clock.pass(2 * minuteMs)
    await other.context.deliverySchedule.sweep()
    await other.close()

    expect(await stateOf(run, memberId)).toBe('sent confirmed')
    await send(run)
    expect(script.sent).toEqual([])
  })

  it('is found by the next one, also when its last statement ended after it was removed', async ({
    delivery,
    killWorker,
  }) => {
    const { site, db, script, send, sweep } = delivery
    for (let each = 0; each < 3; each += 1) await createRecipient(site)
    const run = await delivery.publish('11-20-26-A')
    await killWorker(run?.id ?? 0)
    await db.deliverySender.deleteMany()

    await sweep()
    await send(run)

    expect(script.sent).toHaveLength(2)
    expect(await db.delivery.findMany({ where: { state: 'unconfirmed' } })).toMatchObject([
      { reason: 'The worker stopped while it handed over the message.' },
    ])
    expect(await delivery.runOf('11-20-26-A')).toMatchObject({ state: 'done' })
  })

  it('is lost before the server replied, and the reply says what became of the message', async ({
    delivery,
  }) => {
    const { site, db, script, send, stateOf, sweep } = delivery
    const { memberId } = await createRecipient(site)
    const run = await delivery.publish('11-20-26-A')
    script.answer = async () => {
      await db.deliverySender.updateMany({ data: { heartbeatAt: new Date('2026-11-20T00:00:00Z') } })
      await sweep()
      expect(await stateOf(run, memberId)).toMatch(/^unconfirmed/)
      return { outcome: 'accepted' }
    }

    await send(run)

    expect(await stateOf(run, memberId)).toBe('sent')
  })

  it('becomes unconfirmed when the connection ends before the reply', async ({ delivery }) => {
    const { site, script, send, stateOf } = delivery
    const { memberId } = await createRecipient(site)
    const run = await delivery.publish('11-20-26-A')
    script.answer = async () => ({ outcome: 'unknown', code: 'ECONNRESET', response: 'no reply' })

    await send(run)
    await send(run)

    expect(await stateOf(run, memberId)).toBe('unconfirmed ECONNRESET no reply')
  })
})

describe('the guards', () => {
  it('hold what is late, until an editor resumes it', async ({ delivery }) => {
    const { site, desk, script, send } = delivery
    await createRecipient(site)
    const run = await delivery.publish('11-20-26-A')

    site.clock.pass(24 * 60 * minuteMs)
    await send(run)
    expect(script.sent).toEqual([])
    expect(await delivery.runOf('11-20-26-A')).toMatchObject({
      state: 'held',
      heldReason: 'It missed its time by 1440 minutes. Resume it to send it.',
    })

    expect((await desk.call('POST', '/editions/11-20-26-A/deliveries/resume')).statusCode).toBe(200)
    await send(run)
    expect(script.sent).toHaveLength(1)
  })

  it('hold what a worker finds in a queue that is a day behind', async ({ delivery }) => {
    const { site, mailer, script } = delivery
    await createRecipient(site)
    await delivery.publish('11-20-26-A')
    site.clock.pass(24 * 60 * minuteMs)
    const { database, site: config } = site.context.config
    const worker = await startTestApp({
      databaseUrl: database.url,
      env: { EDITION_SLOTS: config.slots.map(({ label }) => `${label}=20:00`).join(',') },
      overrides: { bulkMailer: mailer, clock: site.clock },
    })

    const state = async () => (await delivery.runOf('11-20-26-A'))?.state
    await expect.poll(state, waitOptions).toBe('held')
    await worker.close()
    expect(script.sent).toEqual([])
  })

  it('hold the rest when all workers were down for too long', async ({ delivery, killWorker }) => {
    const { site, db, script, send, sweep } = delivery
    for (let each = 0; each < 2; each += 1) await createRecipient(site)
    const run = await delivery.publish('11-20-26-A')
    await killWorker(run?.id ?? 0)
    const now = site.clock.now()
    await db.deliveryRun.update({
      where: { id: run?.id ?? 0 },
      data: { state: 'sending', startedAt: now, activeAt: now },
    })

    site.clock.pass(31 * minuteMs)
    await sweep()
    await send(run)

    expect(await delivery.runOf('11-20-26-A')).toMatchObject({ state: 'held' })
    expect(script.sent).toEqual([])
  })

  it('plan nothing for other days, unless an editor insists, and never for seeds', async ({ delivery }) => {
    const { site, publish, runOf } = delivery
    expect(await publish('11-21-26-A')).not.toBeNull()
    expect(await publish('11-19-26-A')).toBeNull()
    expect(await publish('11-22-26-A')).toBeNull()
    expect(await publish('11-19-26-B', ['First'], { deliver: true })).not.toBeNull()
    expect(await publish('11-20-26-B', ['First'], { deliver: false })).toBeNull()
    await publishedEdition(site.context, '11-20-26-C', 1)
    expect(await runOf('11-20-26-C')).toBeNull()
  })

  it('let a restored or copied database send nothing until an operator confirms it', async ({ delivery }) => {
    const { site, db, script, send, sweep } = delivery
    const { deliveryOperations: operations } = site.context
    await createRecipient(site)
    const run = await delivery.publish('11-20-26-A')
    await send(await delivery.publish('11-20-26-B'))
    script.sent.length = 0
    await db.deliveryControl.update({ where: { id: 1 }, data: { instance: 'the database of the backup' } })

    await site.context.sending.send(run?.id ?? 0)
    await sweep()
    expect(script.sent).toEqual([])
    expect((await operations.summary()).hold).toEqual('other-cluster')

    await operations.confirmInstance()
    await send(run)
    expect(script.sent).toHaveLength(1)
  })

  it('hold everything for an operator, as the desk reports, who then releases it in time', async ({
    delivery,
  }) => {
    const { site, desk, script, send } = delivery
    const { deliveryOperations: operations } = site.context
    await createRecipient(site)
    const run = await delivery.publish('11-20-26-A')
    const reportOf = async (key: string) =>
      (await desk.call('GET', `/editions/${key}/delivery-report`)).json().data
    await operations.hold()
    await send(run)
    expect(script.sent).toEqual([])
    const heldReason = 'An operator holds all sending.'
    expect(await reportOf('11-20-26-A')).toMatchObject({ state: 'planned', heldReason })

    site.clock.pass(90 * minuteMs)
    await operations.release()
    await site.context.sending.send(run?.id ?? 0)
    expect(script.sent).toHaveLength(1)
    await operations.hold()
    expect(await reportOf('11-20-26-A')).toMatchObject({ state: 'done', heldReason: null })
    await operations.release()
  })
})

describe('old deliveries', () => {
  it('are replaced by the report of their edition', async ({ delivery }) => {
    const { site, db, desk, send } = delivery
    await createRecipient(site)
    await send(await delivery.publish('11-20-26-A'))
    site.clock.pass(91 * 24 * 60 * minuteMs)

    await site.context.removeOld()

    expect(await db.delivery.count()).toBe(0)
    const report = await desk.call('GET', '/editions/11-20-26-A/delivery-report')
    expect(report.json().data).toMatchObject({
      state: 'done',
      archivedAt: site.clock.now().toISOString(),
      counts: [{ method: 'memo-email', state: 'sent', reason: null, count: 1 }],
    })
  })
})
