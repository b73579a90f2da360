import { cp, mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { describe, expect } from 'vitest'
import { createContext } from '#context.ts'
import { registerJobs } from '#jobs.ts'
import { randomIds } from '#platform/ids.ts'
import { createRecipient } from '#test/factories/recipients.ts'
import { temporaryFolder } from '#test/faults/temporary-folder.ts'
import { type DeliverySite, deliveryTest } from '#test/sites/delivery-site.ts'

const key = '11-20-26-A'
let nextUuid: string | null = null
const ids = {
  ...randomIds,
  uuid() {
    const uuid = nextUuid ?? randomIds.uuid()
    nextUuid = null
    return uuid
  },
}

const it = deliveryTest({ overrides: { ids } })
it.beforeEach(async ({ delivery }) => {
  const { config, database } = delivery.site.context
  await rm(path.join(config.dataDir, 'sending'), { recursive: true, force: true })
  await database.pool.query(
    'DELETE FROM delivery_control; DELETE FROM sending_folder; DELETE FROM sending_mark',
  )
})

const folderOf = ({ site }: DeliverySite) => path.join(site.context.config.dataDir, 'sending')

/** Sends a first edition, so that the folder and the database know each other. */
async function sendFirst(delivery: DeliverySite): Promise<void> {
  for (let each = 0; each < 4; each += 1) await createRecipient(delivery.site)
  await delivery.send(await delivery.publish('11-20-26-B'))
  expect(delivery.script.sent).toHaveLength(4)
  delivery.script.sent.length = 0
}

/** Starts another worker on the same database, with a DATA_DIR of its own. */
async function otherWorker(
  { site, mailer }: DeliverySite,
  change: { siteUrl?: string; dataDir?: string } = {},
) {
  const { config, clock, logger } = { ...site.context }
  const dataDir = change.dataDir ?? (await temporaryFolder())
  const url = change.siteUrl === undefined ? config.site : { ...config.site, identity: change.siteUrl }
  const context = createContext({ ...config, dataDir, site: url }, 'worker', {
    clock,
    logger,
    bulkMailer: mailer,
  })
  registerJobs(context)
  await context.start({ jobs: false, listening: false })
  return { context, dataDir, [Symbol.asyncDispose]: () => context.close() }
}

describe('the folder of a worker', () => {
  it('that is lost holds its worker with the command, which lets it send the rest', async ({ delivery }) => {
    await sendFirst(delivery)
    const run = await delivery.publish(key)
    await rm(folderOf(delivery), { recursive: true })
    delivery.site.clock.pass(200_000)

    await delivery.send(run)
    expect(delivery.script.sent).toEqual([])
    const report = await delivery.desk.call('GET', `/editions/${key}/delivery-report`)
    expect(report.json().data).toMatchObject({
      state: 'planned',
      heldReason:
        "The DATA_DIR of a worker has no record of what this database sent. An operator must run 'deliveries confirm-instance'.",
    })

    await delivery.site.context.deliveryOperations.confirmInstance()
    await delivery.send(run)
    expect(delivery.script.sent).toHaveLength(4)
  })

  it('holds no other folder, and waits until it is confirmed itself', async ({ delivery }) => {
    await sendFirst(delivery)
    const run = await delivery.publish(key)
    await using other = await otherWorker(delivery)
    delivery.site.clock.pass(60_000)

    await other.context.sending.send(run?.id ?? 0)
    expect(delivery.script.sent).toEqual([])
    expect((await other.context.deliveryOperations.summary()).gate).toEqual({ isOpen: true })
    await delivery.send(run)
    expect(delivery.script.sent).toHaveLength(4)

    expect(await other.context.deliveryOperations.confirmInstance()).toMatchObject({
      heldRuns: 0,
      waiting: [],
    })
    await other.context.sending.send((await delivery.publish('11-20-26-C'))?.id ?? 0)
    delivery.site.clock.pass(60_000)
    await other.context.sending.send((await delivery.runOf('11-20-26-C'))?.id ?? 0)
    expect(delivery.script.sent).toHaveLength(8)
    await delivery.send(await delivery.publish('11-20-26-D'))
    expect(delivery.script.sent).toHaveLength(12)
  })

  it.for([
    ['was copied', 'mark-copied', (folder: string) => copyOver(folder)],
    [
      'is damaged',
      'mark-unreadable',
      (folder: string) => writeFile(path.join(folder, 'folder.json'), '{"id":'),
    ],
    [
      'belongs to another database',
      'mark-of-another-database',
      (folder: string) => edit(folder, { database: '1' }),
    ],
    [
      'belongs to another cluster',
      'mark-of-another-database',
      (folder: string) => edit(folder, { cluster: '1' }),
    ],
    [
      'belongs to another site',
      'mark-of-another-database',
      (folder: string) => edit(folder, { siteUrl: 'x' }),
    ],
  ] as const)(
    'that %s holds until it is confirmed, and nothing is sent twice',
    async ([, reason, change], { delivery }) => {
      await sendFirst(delivery)
      const run = await delivery.publish(key)
      await change(folderOf(delivery))
      delivery.site.clock.pass(200_000)

      await delivery.send(run)
      expect(delivery.script.sent).toEqual([])
      expect(await delivery.site.context.sendingGuard.check()).toEqual({ isOpen: false, reason })
      expect((await delivery.site.context.deliveryOperations.summary()).gate).toEqual({
        isOpen: false,
        reason,
      })

      expect(await delivery.site.context.deliveryOperations.confirmInstance()).toMatchObject({
        settled: 0,
        heldRuns: 0,
      })
      await delivery.send(run)
      expect(delivery.script.sent).toHaveLength(4)
      expect((await delivery.site.context.deliveryOperations.summary()).gate).toEqual({ isOpen: true })
    },
  )

  it('that cannot be written hands nothing over, and goes on by itself once it can', async ({ delivery }) => {
    await sendFirst(delivery)
    const run = await delivery.publish(key)
    const folder = folderOf(delivery)
    nextUuid = randomIds.uuid()
    const blocked = path.join(folder, `${nextUuid}.0.log`)
    await writeFile(blocked, '')

    await delivery.send(run)
    expect(delivery.script.sent).toEqual([])
    expect(await delivery.db.delivery.findMany({ where: { runId: run?.id ?? 0 } })).toMatchObject(
      Array.from({ length: 4 }, () => ({ state: 'planned', attempts: 0 })),
    )
    expect((await delivery.site.context.deliveryOperations.summary()).gate).toEqual({
      isOpen: false,
      reason: 'mark-unwritable',
    })
    await rm(blocked)
    await delivery.send(run)
    expect(delivery.script.sent).toHaveLength(4)
  })

  it('is created at the first start, by several workers at once', async ({ delivery }) => {
    await createRecipient(delivery.site)
    const dataDir = await temporaryFolder()
    await using one = await otherWorker(delivery, { dataDir })
    await using two = await otherWorker(delivery, { dataDir })
    await using three = await otherWorker(delivery)
    const all = [one, two, three].map(({ context }) => context.sendingGuard.check())
    expect(await Promise.all(all)).toEqual([{ isOpen: true }, { isOpen: true }, { isOpen: true }])
    expect(await delivery.db.sendingFolder.count()).toBe(2)
    expect(await readdir(path.join(dataDir, 'sending'))).toEqual(['folder.json'])
  })
})

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
    expect(await delivery.site.context.sendingGuard.read()).toEqual({
      isOpen: false,
      reason: 'ledger-behind',
    })
    expect(await delivery.db.delivery.findMany({ where: { runId: run?.id ?? 0 } })).toMatchObject(
      Array.from({ length: 4 }, () => ({ state: 'sent', reason: 'sent-before-restore', attempts: 1 })),
    )
    await using other = await otherWorker(delivery)
    expect(await other.context.sendingGuard.check()).toEqual({ isOpen: false, reason: 'ledger-behind' })

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
    expect((await delivery.site.context.sendingGuard.check()).isOpen).toBe(false)

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

    expect(await other.context.sendingGuard.check()).toEqual({ isOpen: true })
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
    expect(await other.context.sendingGuard.check()).toEqual({ isOpen: false, reason: 'other-site-url' })
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
    expect(await sendingGuard.check()).toEqual({ isOpen: false, reason: 'restored' })
  })
})

async function edit(folder: string, change: object): Promise<void> {
  const file = path.join(folder, 'folder.json')
  await writeFile(file, JSON.stringify({ ...JSON.parse(await readFile(file, 'utf8')), ...change }))
}

async function copyOver(folder: string): Promise<void> {
  await cp(folder, `${folder}-backup`, { recursive: true })
  await rm(folder, { recursive: true })
  // Takes the inode that became free.
  await mkdir(folder)
  await writeFile(path.join(folder, 'taken'), '')
  await cp(`${folder}-backup`, folder, { recursive: true })
}
