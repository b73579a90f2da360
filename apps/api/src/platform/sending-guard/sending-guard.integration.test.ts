import { cp, mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { describe, expect, vi } from 'vitest'
import { randomIds } from '#platform/ids.ts'
import { createRecipient } from '#test/factories/recipients.ts'
import { temporaryFolder } from '#test/faults/temporary-folder.ts'
import type { DeliverySite } from '#test/sites/delivery-site.ts'
import { guardTest, otherWorker, sendFirst, sendingFolderOf } from '#test/sites/guarded-site.ts'
import { waitOptions } from '#test/wait-options.ts'

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

const it = guardTest({ overrides: { ids } })

describe('the folder of a worker', () => {
  it('that is lost holds its worker with the command, which lets it send the rest', async ({ delivery }) => {
    await sendFirst(delivery)
    const run = await delivery.publish(key)
    await rm(sendingFolderOf(delivery), { recursive: true })
    delivery.site.clock.pass(200_000)

    await delivery.send(run)
    expect(delivery.script.sent).toEqual([])
    const report = await delivery.desk.call('GET', `/editions/${key}/delivery-report`)
    expect(report.json().data).toMatchObject({
      state: 'planned',
      heldReason:
        "The DATA_DIR of a worker has no record of what this database sent. An operator must run 'tidings deliveries confirm-instance'.",
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
    expect((await other.context.deliveryOperations.summary()).hold).toBeNull()
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
      await change(sendingFolderOf(delivery))
      delivery.site.clock.pass(200_000)

      await delivery.send(run)
      expect(delivery.script.sent).toEqual([])
      expect(await delivery.site.context.sendingGuard.check()).toEqual(reason)
      expect((await delivery.site.context.deliveryOperations.summary()).hold).toEqual(reason)

      expect(await delivery.site.context.deliveryOperations.confirmInstance()).toMatchObject({
        settled: 0,
        heldRuns: 0,
      })
      await delivery.send(run)
      expect(delivery.script.sent).toHaveLength(4)
      expect((await delivery.site.context.deliveryOperations.summary()).hold).toBeNull()
    },
  )

  it('that cannot be written hands nothing over, and continues once it can', async ({ delivery }) => {
    await sendFirst(delivery)
    const run = await delivery.publish(key)
    const folder = sendingFolderOf(delivery)
    nextUuid = randomIds.uuid()
    const blocked = path.join(folder, `${nextUuid}.0.log`)
    await writeFile(blocked, '')

    await delivery.send(run)
    expect(delivery.script.sent).toEqual([])
    expect(await delivery.db.delivery.findMany({ where: { runId: run?.id ?? 0 } })).toMatchObject(
      Array.from({ length: 4 }, () => ({ state: 'planned', attempts: 0 })),
    )
    expect((await delivery.site.context.deliveryOperations.summary()).hold).toEqual('mark-unwritable')
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
    expect(await Promise.all(all)).toEqual([null, null, null])
    expect(await delivery.db.sendingFolder.count()).toBe(2)
    expect(await readdir(path.join(dataDir, 'sending'))).toEqual(['folder.json'])
  })

  it('holds nobody while its first worker has its file and not yet its row', async ({ delivery }) => {
    const dataDir = await temporaryFolder()

    expect(await checkBeforeRow(delivery, dataDir)).toEqual([null, null])
  })

  it('holds only its workers while a lost file is back and its row is not', async ({ delivery }) => {
    await sendFirst(delivery)
    const folder = sendingFolderOf(delivery)
    await rm(path.join(folder, 'folder.json'))

    expect(await checkBeforeRow(delivery, path.dirname(folder))).toEqual(['no-mark', 'no-mark'])
    const control = await delivery.db.deliveryControl.findUniqueOrThrow({ where: { id: 1 } })
    expect(control.suspendedReason).toBeNull()
  })
})

/** Lets two workers of a folder check it: the second one when the first has stored the file and not yet its row. */
async function checkBeforeRow(delivery: DeliverySite, dataDir: string): Promise<unknown[]> {
  await using one = await otherWorker(delivery, { dataDir })
  await using two = await otherWorker(delivery, { dataDir })
  const { db } = delivery
  const checks = await db.$transaction(async (tx) => {
    await tx.$executeRaw`LOCK TABLE sending_folder IN SHARE MODE`
    const first = one.context.sendingGuard.check()
    await vi.waitFor(async () => {
      expect(await readdir(path.join(dataDir, 'sending'))).toContain('folder.json')
    }, waitOptions)
    const second = two.context.sendingGuard.check()
    await vi.waitFor(async () => {
      expect(
        await db.$queryRaw`SELECT 1 FROM pg_locks WHERE locktype = 'advisory' AND NOT granted`,
      ).toHaveLength(1)
    }, waitOptions)
    return [first, second]
  })
  return await Promise.all(checks)
}

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
