import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import pg from 'pg'
import { describe, expect, it, onTestFinished } from 'vitest'
import { z } from 'zod'
import { s3Keys, startS3 } from '#test/content/s3-server.ts'
import { fillRecipients } from '#test/delivery-faults/fill-recipients.ts'
import { publishedEdition } from '#test/factories/editions.ts'
import { jpegPicture } from '#test/factories/pictures.ts'
import { runInProcess } from '#test/sites/run-in-process.ts'
import { useTestApp } from '#test/test-app.ts'
import { createBucketStore } from '../context/stores.ts'

async function query(url: string, sql: string): Promise<unknown> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  const { rows } = await client.query(sql)
  await client.end()
  return rows
}

async function temporaryFolder(): Promise<string> {
  const folder = await mkdtemp(path.join(tmpdir(), 'tidings-backup-'))
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  return folder
}

async function bucketSite() {
  const s3 = await startS3()
  const { context } = await useTestApp({ working: false, listening: false })
  const keys = { ...s3Keys, sessionToken: undefined }
  const bucket = { location: s3.location, keys }
  const config = { ...context.config, media: { ...context.config.media, keys, bucket } }
  return {
    s3,
    bucket: { ...createBucketStore(bucket), url: config.database.url },
    run: (...args: string[]) => runInProcess(args, config),
  }
}

async function backedUpSite() {
  const folder = await temporaryFolder()
  const { context } = await useTestApp({ working: false, listening: false })
  const { config } = context
  await publishedEdition(context, '11-20-26-10AM', 3)
  await fillRecipients(context.database.db, { count: 50, appId: config.site.appId })
  const picture = path.join(config.dataDir, 'media/ab/abcdefghij0123456789')
  await mkdir(picture, { recursive: true })
  await writeFile(path.join(picture, '360.jpeg'), await jpegPicture(360, 270))
  const run = (...args: string[]) => runInProcess(args, config)
  expect((await run('backup', '--to', folder)).code).toBe(0)
  const [name = ''] = await readdir(folder)
  return { file: path.join(folder, name), folder, config, picture, run, url: config.database.url }
}

const restoredSchema = z.object({
  backup: z.string(),
  former: z.string(),
  rows: z.int(),
  files: z.int(),
  pictures: z.int(),
  counts: z.record(z.string(), z.int()),
  edition: z.object({ key: z.string(), memos: z.int(), title: z.string() }).nullable(),
  picture: z.object({ width: z.int(), height: z.int(), problem: z.string().nullable() }).nullable(),
  settings: z.array(z.string()),
})

/** Parses the report of a restore. The former database is dropped when the test has finished. */
function restored(url: string, { code, printed, errors }: { code: number; printed: string; errors: string }) {
  expect(errors).toBe('')
  expect(code).toBe(0)
  const report = restoredSchema.parse(JSON.parse(printed))
  onTestFinished(async () => void (await query(url, `DROP DATABASE IF EXISTS ${report.former}`)))
  return report
}

const countMembers = 'SELECT count(*)::int FROM member'

describe('a backup', () => {
  it('is recorded for the metrics', async () => {
    const { url } = await backedUpSite()
    expect(await query(url, 'SELECT kind, bytes > 1000 AS "isBig" FROM backup_record')).toEqual([
      { kind: 'folder', isBig: true },
    ])
  })

  it('is restored with its rows and pictures, reports them, and holds sending', async () => {
    const { file, run, url, picture } = await backedUpSite()
    await query(url, 'DELETE FROM member')
    await rm(picture, { recursive: true })
    const report = restored(url, await run('restore', file, '--replace', '--yes', '--json'))
    expect(report).toMatchObject({
      backup: file,
      counts: { members: 50, editions: 1, memos: 3 },
      edition: { key: '11-20-26-10AM', memos: 3, title: 'Memo 1' },
      pictures: 1,
      picture: { width: 360, height: 270, problem: null },
      settings: [],
    })
    expect(await query(url, countMembers)).toEqual([{ count: 50 }])
    expect(await readFile(path.join(picture, '360.jpeg'))).toEqual(await jpegPicture(360, 270))
    expect(await query(url, 'SELECT suspended_reason AS reason FROM delivery_control')).toEqual([
      { reason: 'restored' },
    ])
  })

  it('is restored twice, and the newest one of a folder by the folder', async () => {
    const { folder, file, run, url } = await backedUpSite()
    restored(url, await run('restore', file, '--replace', '--yes', '--json'))
    await query(url, 'DELETE FROM member')
    const report = restored(url, await run('restore', folder, '--replace', '--yes', '--json'))
    expect(report.backup).toBe(file)
    expect(await query(url, countMembers)).toEqual([{ count: 50 }])
  })

  it('has the pictures of a bucket, and restores them there', async () => {
    const { run, bucket } = await bucketSite()
    const folder = await temporaryFolder()
    const bytes = await jpegPicture(360, 270)
    await bucket.save(`${'a'.repeat(26)}.jpg`, [{ width: 360, format: 'jpeg', bytes }])
    expect((await run('backup', '--to', folder)).code).toBe(0)
    await bucket.remove(`${'a'.repeat(26)}.jpg`)
    const report = restored(bucket.url, await run('restore', folder, '--replace', '--yes', '--json'))
    expect(report).toMatchObject({ pictures: 1, picture: { width: 360, problem: null } })
    expect((await bucket.open(`${'a'.repeat(26)}.jpg`, 360, 'jpeg'))?.bytes).toEqual(bytes)
  })

  it('is kept in a bucket and restored from there, by its address or as the newest', async () => {
    const { run, bucket, s3 } = await bucketSite()
    const place = s3.url.replace('/site?', '/backups?')
    const made = await run('backup', '--to', place, '--keep', '1', '--json')
    expect(made.errors).toBe('')
    const { file } = z.object({ file: z.string() }).parse(JSON.parse(made.printed))
    expect(file).toMatch(/^s3:\/\/pictures\/backups\/tidings-\d{8}T\d{6}Z\.tar\?region=/)
    expect(restored(bucket.url, await run('restore', file, '--replace', '--yes', '--json')).backup).toBe(file)
    expect(restored(bucket.url, await run('restore', place, '--replace', '--yes', '--json')).backup).toBe(
      file,
    )
    const missing = await run('restore', file.replace('.tar?', '.tar.age?'), '--replace', '--yes')
    expect(missing).toMatchObject({
      code: 1,
      errors: expect.stringContaining(`The newest ones are ${file}.`),
    })
  })

  it('keeps as many as --keep says, and deletes what a killed backup left', async () => {
    const { folder, run } = await backedUpSite()
    const names = ['01', '02', '03'].map((day) => `tidings-202601${day}T030000Z.tar`)
    for (const name of [...names, 'tidings-20260104T030000Z.tar.age.partial', 'notes.partial'])
      await writeFile(path.join(folder, name), 'content')
    const { errors, printed } = await run('backup', '--to', folder, '--keep', '3')
    expect(errors).toBe('')
    expect(printed).toContain(
      'Deleted tidings-20260104T030000Z.tar.age.partial, which an interrupted backup left.',
    )
    const left = (await readdir(folder)).sort()
    expect(left).toContain('notes.partial')
    expect(left.filter((name) => name.endsWith('.tar'))).toHaveLength(3)
    expect(left).not.toContain(names[0])
  })
})

describe('a backup with a passphrase', () => {
  const passphrase = 'correct horse battery staple'

  async function lockedSite() {
    const folder = await temporaryFolder()
    const { context } = await useTestApp({ working: false, listening: false })
    await publishedEdition(context, '11-20-26-10AM', 1)
    const secret = path.join(folder, 'passphrase')
    await writeFile(secret, `${passphrase}\n`)
    const run = (answer: string | undefined, ...args: string[]) => runInProcess(args, context.config, answer)
    const backups = path.join(folder, 'backups')
    expect((await run(undefined, 'backup', '--to', backups, '--passphrase-file', secret)).errors).toBe('')
    return { secret, backups, run, url: context.config.database.url, config: context.config }
  }

  it('is restored with its file, with the setting, or with what is typed', async () => {
    const { secret, backups, run, url, config } = await lockedSite()
    expect((await readdir(backups))[0]).toMatch(/\.tar\.age$/)
    const restore = ['restore', backups, '--json']
    const setting = { ...config, backup: { passphrase } }
    restored(url, await runInProcess([...restore, '--replace', '--yes'], setting))
    // Each decrypts it, and then finds that the site is used.
    const opened = [
      await run(undefined, ...restore, '--passphrase-file', secret),
      await run(passphrase, ...restore),
    ]
    for (const { errors } of opened) expect(errors).toContain('Add --replace')
  })

  it('changes nothing without it or with another one', async () => {
    const { backups, run } = await lockedSite()
    const restore = ['restore', backups, '--replace', '--yes']
    const without = await run(undefined, ...restore)
    expect(without).toMatchObject({ code: 1, errors: expect.stringContaining('Set BACKUP_PASSPHRASE') })
    const other = await run('another passphrase, also long', ...restore)
    expect(other).toMatchObject({ code: 1, errors: expect.stringContaining('key or passphrase') })
  })

  it.each([
    [['--passphrase-file', '/nowhere/passphrase'], "can't be read"],
    [['--passphrase'], 'needs a terminal'],
    [['--recipient', 'age1qqq', '--passphrase'], 'only one of'],
    [['--recipient', 'someone@example.com'], 'age-keygen'],
    [['--keep', '0'], '--keep needs'],
  ])('is refused with %j', async (args, message) => {
    const { context } = await useTestApp({ working: false, listening: false })
    const folder = await temporaryFolder()
    const { code, errors } = await runInProcess(['backup', '--to', folder, ...args], context.config)
    expect(code).toBeGreaterThan(0)
    expect(errors).toContain(message)
    expect(await readdir(folder)).toEqual([])
  })

  it('is refused if others could guess it', async () => {
    const { context } = await useTestApp({ working: false, listening: false })
    const folder = await temporaryFolder()
    const { errors } = await runInProcess(['backup', '--to', folder, '--passphrase'], context.config, 'short')
    expect(errors).toContain('less than 16 characters')
  })
})
