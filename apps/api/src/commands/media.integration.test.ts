import { describe, expect } from 'vitest'
import { s3Keys, startS3 } from '#test/content/s3-server.ts'
import { siteTest } from '#test/fixtures.ts'
import { runInProcess } from '#test/sites/run-in-process.ts'
import { createBucketStore, createFolderStore } from '../context/stores.ts'

const it = siteTest({ working: false })
const names = ['a', 'b', 'c'].map((letter) => `${letter.repeat(26)}.jpg`)
const variants = [360, 720].map((width) => ({
  width,
  format: 'jpeg' as const,
  bytes: Buffer.from(`picture ${width}`),
}))

async function bucketSite({ config }: { config: Parameters<typeof runInProcess>[1] }) {
  const s3 = await startS3()
  const bucket = { location: s3.location, keys: { ...s3Keys, sessionToken: undefined } }
  return {
    s3,
    folder: createFolderStore(config),
    bucket: createBucketStore(bucket),
    config: { ...config, media: { ...config.media, bucket } },
  }
}

describe('media migrate', () => {
  it('copies every picture once, mends a damaged one, and copies back', async ({ site }) => {
    const { folder, bucket, config } = await bucketSite(site.context)
    for (const name of names) await folder.save(name, variants)

    const first = await runInProcess(['media', 'migrate', '--json'], config)
    expect(JSON.parse(first.printed)).toEqual({ to: 'bucket', files: 6, copied: 6, unchanged: 0 })
    const second = await runInProcess(['media', 'migrate', '--json'], config)
    expect(JSON.parse(second.printed)).toEqual({ to: 'bucket', files: 6, copied: 0, unchanged: 6 })

    await bucket.save(names[0] ?? '', [{ width: 360, format: 'jpeg', bytes: Buffer.from('damaged') }])
    const third = await runInProcess(['media', 'migrate'], config)
    expect(third.printed).toContain('6 files: 1 copied to the bucket, 5 were there already.')

    for (const name of names) await folder.remove(name)
    await runInProcess(['media', 'migrate', '--to', 'folder'], config)
    for (const name of names) {
      expect((await folder.open(name, 720, 'jpeg'))?.bytes.toString()).toBe('picture 720')
    }
  })

  it('says what to do without a bucket, and when it is away', async ({ site }) => {
    expect((await runInProcess(['media', 'migrate'], site.context.config)).code).toBe(2)
    const { s3, config, folder } = await bucketSite(site.context)
    await folder.save(names[0] ?? '', variants)
    await s3.stop()
    const { code, errors } = await runInProcess(['media', 'migrate'], config)
    expect(code).toBe(1)
    expect(errors).toContain('it goes on where it stopped')
    expect(errors).not.toContain(s3Keys.secretAccessKey)
  })
})

describe('doctor', () => {
  it('checks the bucket, and says what to do when it is away', async ({ site }) => {
    const { s3, bucket, config } = await bucketSite(site.context)
    expect((await runInProcess(['doctor'], config)).printed).toContain(
      `✓ media: the bucket ${s3.location.bucket}/site/ can be written and read`,
    )
    for await (const left of bucket.list()) expect(left).toBeUndefined()
    await s3.stop()
    expect((await runInProcess(['doctor'], config)).printed).toMatch(/✗ media: .*Check MEDIA_STORE/)
  })
})
