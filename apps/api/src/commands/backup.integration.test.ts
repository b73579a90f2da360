import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import pg from 'pg'
import { describe, expect, it, onTestFinished } from 'vitest'
import { s3Keys, startS3 } from '#test/content/s3-server.ts'
import { fillRecipients } from '#test/delivery-faults/fill-recipients.ts'
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
  const bucket = { location: s3.location, keys: { ...s3Keys, sessionToken: undefined } }
  const config = { ...context.config, media: { ...context.config.media, bucket } }
  return {
    bucket: { ...createBucketStore(bucket), url: config.database.url },
    run: (...args: string[]) => runInProcess(args, config),
  }
}

async function backedUpSite() {
  const folder = await temporaryFolder()
  const { context } = await useTestApp({ working: false, listening: false })
  const { config } = context
  await fillRecipients(context.database.db, { count: 50, appId: config.site.appId })
  const picture = path.join(config.dataDir, 'media/ab/abcdefghij0123456789')
  await mkdir(picture, { recursive: true })
  await writeFile(path.join(picture, '360.webp'), 'a picture')
  const run = (...args: string[]) => runInProcess(args, config)
  expect((await run('backup', '--to', folder)).code).toBe(0)
  const [name = ''] = await readdir(folder)
  return { file: path.join(folder, name), folder, config, picture, run, url: config.database.url }
}

describe('a backup', () => {
  it('is recorded for the metrics', async () => {
    const { url } = await backedUpSite()
    expect(await query(url, 'SELECT kind, bytes > 1000 AS "isBig" FROM backup_record')).toEqual([
      { kind: 'folder', isBig: true },
    ])
  })

  it('is restored with its rows and pictures, and holds sending', { timeout: 120_000 }, async () => {
    const { file, run, url, picture } = await backedUpSite()
    await query(url, 'DELETE FROM member')
    await rm(picture, { recursive: true })
    const { code, printed, errors } = await run('restore', file, '--replace', '--yes', '--json')
    expect(errors).toBe('')
    expect(code).toBe(0)
    const { former } = JSON.parse(printed)
    onTestFinished(async () => void (await query(url, `DROP DATABASE ${former}`)))
    expect(await query(url, 'SELECT count(*)::int FROM member')).toEqual([{ count: 50 }])
    expect(await readFile(path.join(picture, '360.webp'), 'utf8')).toBe('a picture')
    expect(await query(url, 'SELECT suspended_reason AS reason FROM delivery_control')).toEqual([
      { reason: 'restored' },
    ])
  })

  it('has the pictures of a bucket, and restores them there', { timeout: 120_000 }, async () => {
    const { run, bucket } = await bucketSite()
    const folder = await temporaryFolder()
    const variants = [{ width: 360, format: 'jpeg' as const, bytes: Buffer.from('a picture') }]
    await bucket.save(`${'a'.repeat(26)}.jpg`, variants)
    expect((await run('backup', '--to', folder)).code).toBe(0)
    await bucket.remove(`${'a'.repeat(26)}.jpg`)
    const [name = ''] = await readdir(folder)
    const { code, printed } = await run('restore', path.join(folder, name), '--replace', '--yes', '--json')
    expect([code, JSON.parse(printed)]).toEqual([0, expect.objectContaining({ pictures: 1 })])
    onTestFinished(async () => void (await query(bucket.url, `DROP DATABASE ${JSON.parse(printed).former}`)))
    expect((await bucket.open(`${'a'.repeat(26)}.jpg`, 360, 'jpeg'))?.bytes.toString()).toBe('a picture')
  })

  it('that is damaged or cut off changes nothing', { timeout: 60_000 }, async () => {
    const { file, run, url } = await backedUpSite()
    const bytes = await readFile(file)
    await writeFile(file, bytes.subarray(0, bytes.length - 20_000))
    const { code, errors } = await run('restore', file, '--replace', '--yes')
    expect(code).toBe(1)
    expect(errors).toContain('Nothing was changed.')
    expect(await query(url, 'SELECT count(*)::int FROM member')).toEqual([{ count: 50 }])
  })
})
