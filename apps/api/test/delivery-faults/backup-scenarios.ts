import { rm } from 'node:fs/promises'
import path from 'node:path'
import { expect, onTestFinished, vi } from 'vitest'
import { z } from 'zod'
import { draftEdition } from '../factories/editions.ts'
import { jpegPicture } from '../factories/pictures.ts'
import { createMigratedDatabase } from '../faults/migrated-database.ts'
import { type OwnPostgres, startOwnPostgres } from '../faults/own-postgres.ts'
import { callDesk, passGate } from '../faults/site-client.ts'
import { type SiteProcess, startApiProcess } from '../faults/site-process.ts'
import { temporaryFolder } from '../faults/temporary-folder.ts'
import { startRestoreSite } from './restore-site.ts'

/** Where the operator restores: in place while API and workers run, or elsewhere once they have ended. */
export type RestoreTarget = 'in place' | 'new database' | 'new cluster'

type Site = Awaited<ReturnType<typeof startRestoreSite>>
type Restored = Awaited<ReturnType<Site['openSite']>>

const archived = { key: '11-10-26-10AM', path: '/edition/prod/11-10-26-10AM', pictures: 4 }
const titles = { before: 'As in the backup', after: 'Changed after the backup' }
const createdSchema = z.object({ file: z.string() })
const restoredSchema = z.object({ former: z.string().nullable(), rows: z.int(), pictures: z.int() })

/**
 * Makes a backup with the command while an edition is sent, goes on sending, restores with the command and confirms.
 * Readers use the API meanwhile. Returns what readers and members got.
 */
export async function restoreBackupInMidSend(
  postgres: OwnPostgres,
  target: RestoreTarget,
  options: { members: number; seed: number },
) {
  const site = await startRestoreSite(postgres, options)
  const { memoId, files } = await publishPictures(site)
  const api = await startApi(site)
  const workers = [await site.work(), await site.work()]
  const reader = await createReader(api)
  expect(await reader.titleNow()).toContain(titles.before)
  await site.publish()
  await site.untilSent(0.3)
  const folder = await temporaryFolder()
  const backup = await site.run('backup', '--to', folder, '--json')
  const { file } = createdSchema.parse(JSON.parse(backup.printed))
  const { etag } = await callDesk(api.url, 'GET', `/desk/v1/memos/${memoId}`)
  await callDesk(api.url, 'PATCH', `/desk/v1/memos/${memoId}`, {
    body: { title: titles.after },
    headers: { 'if-match': etag ?? '' },
  })
  await vi.waitFor(async () => expect(await reader.titleNow()).toContain(titles.after))
  await site.untilSent(0.6)
  if (target !== 'in place') await Promise.all([api, ...workers].map((each) => each.end('SIGTERM')))
  await rm(path.join(site.dataDir, 'media'), { recursive: true })
  const restored = await openTarget(site, postgres, target)
  const { code, printed, errors } = await restored.run('restore', file, '--replace', '--yes', '--json')
  expect([code, errors]).toEqual([0, ''])
  const { rows, pictures } = restoredSchema.parse(JSON.parse(printed))
  const readers = target === 'in place' ? reader : await createReader(await startApi(restored))
  const title = await readers.titleWithin(1_000)
  if (target !== 'in place') await restored.work()
  const reason = await restored.untilHeld()
  const doubledBefore = site.doubled()
  const confirmation = await restored.command('confirm-instance --yes')
  await restored.untilDone()
  site.mails.behave()
  await restored.resolve()
  await restored.untilDone()
  return {
    reason,
    doubledBefore,
    confirmation,
    rows,
    pictures,
    title,
    pictureStatuses: await readers.pictureStatuses(files),
    differences: await restored.differences(),
    state: (await restored.report()).state,
  }
}

async function openTarget(site: Site, postgres: OwnPostgres, target: RestoreTarget): Promise<Restored> {
  if (target === 'in place') return site
  if (target === 'new database')
    return await site.openSite(await createMigratedDatabase(postgres.url, 'moved'), site.dataDir)
  const cluster = await startOwnPostgres({ fsync: 'off' })
  onTestFinished(() => cluster.destroy())
  return await site.openSite(cluster.url, site.dataDir)
}

/** Publishes an edition of the archive whose memos have pictures. */
async function publishPictures({ site: { context } }: Site) {
  const { media, database, memos, publishing } = context
  const { edition } = await draftEdition(context, archived.key, [titles.before])
  const files: string[] = []
  for (let number = 1; number <= archived.pictures; number += 1) {
    const picture = await media.prepare(await jpegPicture(400 + number, 300), 'editorial')
    await database.transaction(async (tx) => {
      await memos.add(tx, edition, { ...content, title: `Picture ${number}`, mediaFile: picture.file })
    })
    files.push(picture.file)
  }
  const current = await database.db.edition.findUniqueOrThrow({ where: { id: edition.id } })
  await database.transaction((tx) => publishing.publish(tx, current, { as: 'archive' }))
  const { id } = await database.db.memo.findFirstOrThrow({ where: { title: titles.before } })
  return { memoId: id, files }
}

const content = { content: '<p>News.</p>', source: '', mediaTitle: '', mediaText: '', language: '' }

async function startApi({ databaseUrl, dataDir }: Pick<Restored, 'databaseUrl' | 'dataDir'>) {
  return await startApiProcess({ databaseUrl, env: { DATA_DIR: dataDir } })
}

async function createReader({ url }: SiteProcess) {
  const cookie = await passGate(url)
  const get = (at: string) => fetch(new URL(at, url), { headers: { cookie } })
  const titleNow = async () => await (await get(archived.path)).text()
  return {
    titleNow,
    /** Returns which title is served a time after the restore, or else the reply; a cached title would go on. */
    async titleWithin(timeout: number): Promise<string> {
      const isBefore = async () => expect(await titleNow()).toContain(titles.before)
      await vi.waitFor(isBefore, { timeout, interval: 20 }).catch(() => undefined)
      const reply = await titleNow()
      return [titles.after, titles.before].find((title) => reply.includes(title)) ?? reply
    },
    async pictureStatuses(files: readonly string[]): Promise<number[]> {
      const [, day = '', slot = ''] = /^(\d\d-\d\d-\d\d)-(\w+)$/.exec(archived.key) ?? []
      const replies = files.flatMap((file) => [360, 1080].map((width) => `${file}?w=${width}`))
      return await Promise.all(
        replies.map(async (file) => (await get(`/media/${day}/${slot}/${file}`)).status),
      )
    },
  }
}
