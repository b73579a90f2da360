import { describe, expect } from 'vitest'
import { createRecipient } from '#test/factories/recipients.ts'
import { guardTest, otherWorker, sendFirst } from '#test/sites/guarded-site.ts'

const key = '11-20-26-A'
const it = guardTest()

describe('a ledger that went back in time', () => {
  it('holds all workers and settles what was sent, even if only the table of deliveries was restored', async ({
    delivery,
  }) => {
    await sendFirst(delivery)
    const { pool } = delivery.site.context.database
    const run = await delivery.publish(key)
    await pool.query('CREATE TABLE kept AS TABLE delivery')
    await delivery.send(run)
    await pool.query(
      "TRUNCATE delivery; INSERT INTO delivery SELECT * FROM kept; DROP TABLE kept; UPDATE delivery_run SET state = 'sending'",
    )
    await createRecipient(delivery.site)

    await delivery.send(run)
    expect(delivery.script.sent).toHaveLength(4)
    expect(await delivery.site.context.sendingGuard.read()).toEqual('ledger-behind')
    expect(await delivery.db.delivery.findMany({ where: { runId: run?.id ?? 0 } })).toMatchObject(
      Array.from({ length: 4 }, () => ({ state: 'sent', reason: 'sent-before-restore', attempts: 1 })),
    )
    await using other = await otherWorker(delivery)
    expect(await other.context.sendingGuard.check()).toEqual('ledger-behind')

    await delivery.site.context.deliveryOperations.confirmInstance()
    await delivery.send(run)
    expect(delivery.script.sent).toHaveLength(4)
    await delivery.send(await delivery.publish('11-20-26-C'))
    expect(delivery.script.sent).toHaveLength(9)
  })

  it.for([
    ['its counter is lower', 'UPDATE sending_mark SET counter = 0'],
    ['its counter is missing', 'DELETE FROM sending_mark'],
    ['it lost the folder', 'DELETE FROM sending_folder'],
    ['it lost the row of its instance', 'DELETE FROM delivery_control'],
    [
      'the row of its instance was copied back',
      'CREATE TEMP TABLE kept_control AS TABLE delivery_control; DELETE FROM delivery_control; INSERT INTO delivery_control SELECT * FROM kept_control; DROP TABLE kept_control',
    ],
    [
      'it was renamed into place',
      "UPDATE delivery_control SET instance = regexp_replace(instance, '/[0-9]+/', '/1/')",
    ],
  ] as const)('claims nothing in the middle of a turn: %s', async ([, change], { delivery }) => {
    await sendFirst(delivery)
    const { pool } = delivery.site.context.database
    const run = await delivery.publish(key)
    let handedOver = 0
    let changed: Promise<unknown> | null = null
    delivery.script.answer = async () => {
      handedOver += 1
      changed ??= pool.query(change)
      await changed
      return { outcome: 'accepted' }
    }

    await delivery.send(run)
    // The mailer takes two at once.
    expect(handedOver).toBeLessThanOrEqual(2)
    expect(await delivery.site.context.sendingGuard.check()).not.toBeNull()

    await delivery.site.context.deliveryOperations.confirmInstance()
    await delivery.send(run)
    expect(new Set(delivery.script.sent.map(({ to }) => to)).size).toBe(4)
    expect(delivery.script.sent).toHaveLength(4)
  })

  it('holds its runs for a worker that was idle before the dump, until that worker has reported', async ({
    delivery,
  }) => {
    const { context } = delivery.site
    for (let each = 0; each < 4; each += 1) await createRecipient(delivery.site)
    await using other = await otherWorker(delivery)
    for (const { sendingGuard } of [context, other.context]) await sendingGuard.check()
    const run = await delivery.publish(key)
    await context.database.pool.query(
      'CREATE TABLE kept AS TABLE delivery; CREATE TABLE kept_folder AS TABLE sending_folder; CREATE TABLE kept_control AS TABLE delivery_control',
    )
    delivery.site.clock.pass(60_000)
    await other.context.sending.send(run?.id ?? 0)
    expect(delivery.script.sent).toHaveLength(4)
    await context.database.pool.query(
      "DELETE FROM sending_mark; DELETE FROM sending_folder; INSERT INTO sending_folder SELECT * FROM kept_folder; DELETE FROM delivery; INSERT INTO delivery SELECT * FROM kept; DELETE FROM delivery_control; INSERT INTO delivery_control SELECT * FROM kept_control; UPDATE delivery_run SET state = 'sending'; DROP TABLE kept, kept_folder, kept_control",
    )

    expect(await context.deliveryOperations.confirmInstance()).toMatchObject({ heldRuns: 1 })
    await delivery.send(run)
    expect(delivery.script.sent).toHaveLength(4)

    expect(await other.context.sendingGuard.check()).toBeNull()
    const folders = await context.sendingGuard.listFolders()
    expect(folders.filter(({ settledFor }) => settledFor !== null)).toHaveLength(1)
    expect(await delivery.db.delivery.findMany()).toMatchObject(
      Array.from({ length: 4 }, () => ({ state: 'sent', reason: 'sent-before-restore' })),
    )
    await delivery.desk.call('POST', `/editions/${key}/deliveries/resume`)
    await delivery.send(run)
    expect(delivery.script.sent).toHaveLength(4)
  })

  it('under another SITE_URL holds the worker that has it, and no other', async ({ delivery }) => {
    await sendFirst(delivery)
    await using other = await otherWorker(delivery, { siteUrl: 'https://copy.example' })
    expect(await other.context.sendingGuard.check()).toEqual('other-site-url')
    await delivery.send(await delivery.publish(key))
    expect(delivery.script.sent).toHaveLength(4)
  })

  it('keeps what an operator held, and releasing it does not make it the one that sends', async ({
    delivery,
  }) => {
    await sendFirst(delivery)
    const { deliveryOperations: operations, database, sendingGuard } = delivery.site.context
    await database.pool.query(
      'CREATE TEMP TABLE kept_control AS TABLE delivery_control; DELETE FROM delivery_control; INSERT INTO delivery_control SELECT * FROM kept_control; DROP TABLE kept_control',
    )
    await operations.hold()
    await operations.release()
    expect(await sendingGuard.check()).toEqual('restored')
  })
})
