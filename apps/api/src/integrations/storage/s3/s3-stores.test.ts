import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { createLogger } from '#platform/logger.ts'
import { s3Keys, startS3 } from '#test/content/s3-server.ts'
import { createCachedMediaStore } from '../cached-media-store.ts'
import { createBucket } from './bucket.ts'
import { createS3FileStore } from './s3-file-store.ts'
import { createS3MediaStore } from './s3-media-store.ts'

const file = 'abcdefghijklmnopqrstuvwxyz.jpg'
const logger = createLogger({ level: 'silent', process: 'test' })

function variant(width: number, text: string) {
  return { width, format: 'webp', bytes: Buffer.from(text) } as const
}

async function cacheFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'tidings-cache-'))
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  return folder
}

async function namesIn(store: ReturnType<typeof createS3MediaStore>): Promise<string[]> {
  const names: string[] = []
  for await (const { file, width, format } of store.list()) names.push(`${file} ${width} ${format}`)
  return names
}

describe('createS3MediaStore', () => {
  it('returns, lists and removes what was saved', async () => {
    const store = createS3MediaStore(createBucket((await startS3()).location, s3Keys))
    await store.save(file, [variant(360, 'small'), variant(720, 'large')])
    expect((await store.open(file, 720, 'webp'))?.bytes.toString()).toBe('large')
    expect(await store.open(file, 360, 'avif')).toBeNull()
    expect(await namesIn(store)).toEqual([`${file} 360 webp`, `${file} 720 webp`])
    await store.remove(file)
    expect(await namesIn(store)).toEqual([])
  })

  it('rejects names that choose a path', async () => {
    const store = createS3MediaStore(createBucket((await startS3()).location, s3Keys))
    await expect(store.save('../../x.jpg', [variant(360, 'x')])).rejects.toThrow('Invalid picture name')
    expect(await store.open('../../x.jpg', 360, 'webp')).toBeNull()
  })

  it('is unavailable with 503 and Retry-After while the bucket is away', async () => {
    const s3 = await startS3()
    const store = createS3MediaStore(createBucket(s3.location, s3Keys))
    await s3.stop()
    const expected = { code: 'service-unavailable', status: 503, headers: { 'Retry-After': '2' } }
    await expect(store.save(file, [variant(360, 'x')])).rejects.toMatchObject(expected)
    await expect(store.check()).rejects.toMatchObject(expected)
    await s3.start()
    await store.check()
    expect(await namesIn(store)).toEqual([])
  })

  it('names a refused key without its secret', async () => {
    const keys = { accessKeyId: 'another', secretAccessKey: 'wrong-secret' }
    const bucket = createBucket((await startS3()).location, keys)
    const error: unknown = await bucket
      .put('x', Buffer.from('x'), 'text/plain')
      .catch((thrown: unknown) => thrown)
    const cause = error instanceof Error ? String(error.cause) : ''
    // Swift says the latter.
    expect(cause).toMatch(/replied 403 (InvalidAccessKeyId|SignatureDoesNotMatch)/)
    expect(cause).not.toContain('wrong-secret')
  })

  it('says that the bucket is missing', async () => {
    const { location } = await startS3()
    const bucket = createBucket({ ...location, bucket: 'another' }, s3Keys)
    await expect(bucket.get('x')).rejects.toMatchObject({ code: 'service-unavailable' })
  })

  it('lists more than one page', async () => {
    const bucket = createBucket((await startS3()).location, s3Keys)
    const count = 1_005
    const names = Array.from({ length: count }, (_, number) => `many/${number}`).values()
    const putRest = async () => {
      for (const name of names) await bucket.put(name, Buffer.from('x'), 'text/plain')
    }
    await Promise.all(Array.from({ length: 8 }, putRest))
    const keys = new Set<string>()
    for await (const { key } of bucket.list('many/')) keys.add(key)
    expect(keys.size).toBe(count)
  }, 120_000)
})

describe('createCachedMediaStore', () => {
  it('serves what it has seen while the bucket is away, also after a restart', async () => {
    const s3 = await startS3()
    const bucket = createS3MediaStore(createBucket(s3.location, s3Keys))
    const options = { folder: await cacheFolder(), maxBytes: 1_000, logger }
    await bucket.save(file, [variant(360, 'small')])
    await createCachedMediaStore(bucket, options).open(file, 360, 'webp')
    await s3.stop()
    const restarted = createCachedMediaStore(bucket, options)
    expect((await restarted.open(file, 360, 'webp'))?.bytes.toString()).toBe('small')
    await expect(restarted.open(file, 720, 'webp')).rejects.toMatchObject({ code: 'service-unavailable' })
  })

  it('keeps no more than its size', async () => {
    const bucket = createS3MediaStore(createBucket((await startS3()).location, s3Keys))
    const folder = await cacheFolder()
    const store = createCachedMediaStore(bucket, { folder, maxBytes: 10, logger })
    await store.save(file, [variant(360, 'sixsix'), variant(720, 'another')])
    await expect.poll(() => readdir(folder)).toEqual(['abcdefghijklmnopqrstuvwxyz.720.webp'])
  })

  it('forgets what was removed', async () => {
    const bucket = createS3MediaStore(createBucket((await startS3()).location, s3Keys))
    const folder = await cacheFolder()
    const store = createCachedMediaStore(bucket, { folder, maxBytes: 1_000, logger })
    await store.save(file, [variant(360, 'small')])
    await store.remove(file)
    expect(await store.open(file, 360, 'webp')).toBeNull()
    expect(await readdir(folder)).toEqual([])
  })
})

describe('createS3FileStore', () => {
  it('returns files and removes old ones', async () => {
    const store = createS3FileStore(createBucket((await startS3()).location, s3Keys), 'pdf')
    const name = 'abcdef0123456789.pdf'
    await store.save(name, Buffer.from('pdf'))
    await store.removeStoredBefore(new Date(0))
    expect((await store.find(name))?.toString()).toBe('pdf')
    await store.removeStoredBefore(new Date('2100-01-01'))
    expect(await store.find(name)).toBeNull()
  })
})
