import { errorReply } from '@tidings/contracts/errors'
import { describe, expect } from 'vitest'
import { z } from 'zod'
import { createDeskUploads } from '#test/content/desk-uploads.ts'
import { s3Keys, startS3 } from '#test/content/s3-server.ts'
import { memoContent, publishedEdition } from '#test/factories/editions.ts'
import { jpegPicture } from '#test/factories/pictures.ts'
import { siteTest } from '#test/fixtures.ts'
import { startTestApp, type TestApp } from '#test/test-app.ts'

const it = siteTest({ working: false })
const uploadCount = 1_000
const uploaded = z.object({ data: z.object({ media: z.string() }) })

async function startHost(first: TestApp, url: string): Promise<TestApp> {
  return await startTestApp({
    databaseUrl: first.context.config.database.url,
    working: false,
    listening: true,
    env: {
      MEDIA_STORE: url,
      AWS_ACCESS_KEY_ID: s3Keys.accessKeyId,
      AWS_SECRET_ACCESS_KEY: s3Keys.secretAccessKey,
    },
  })
}

describe('two hosts with a bucket', () => {
  it('serve at one what was uploaded at the other, and published pictures while the bucket is away', async ({
    site,
  }) => {
    const s3 = await startS3()
    await using hosts = new AsyncDisposableStack()
    const first = hosts.adopt(await startHost(site, s3.url), (host) => host.close())
    const second = hosts.adopt(await startHost(site, s3.url), (host) => host.close())
    const { edition } = await publishedEdition(first.context, '11-20-26-10AM', 1)
    const uploads = createDeskUploads(first)
    const picture = await jpegPicture(40, 30)
    const files: string[] = []
    for (let number = 0; number < uploadCount; number += 1) {
      const reply = await uploads.file(Buffer.concat([picture, Buffer.from(`${number}`)]))
      const { media } = uploaded.parse(reply.json()).data
      await first.context.database.db.memo.create({
        data: {
          ...memoContent(number),
          editionId: edition.id,
          position: number + 10,
          mediaFile: media,
        },
      })
      files.push(media)
    }
    const read = async (file: string) =>
      await second.app.inject({ url: `/media/11-20-26/10AM/${file}?w=360`, headers: { cookie: second.pass } })

    const again = await createDeskUploads(second).file(Buffer.concat([picture, Buffer.from('0')]))
    expect(uploaded.parse(again.json()).data.media).toBe(files[0])

    const replies = await Promise.all(files.map(read))
    expect(replies.filter(({ statusCode }) => statusCode !== 200)).toEqual([])
    expect(new Set(files).size).toBe(uploadCount)

    await s3.stop()
    expect((await read(files[0] ?? '')).statusCode).toBe(200)
    const rowsBefore = await first.context.database.db.media.count()
    const refused = await uploads.file(picture)
    expect(refused.statusCode).toBe(503)
    expect(refused.headers['retry-after']).toBe('2')
    expect(await first.context.database.db.media.count()).toBe(rowsBefore)
    expect(errorReply.parse(refused.json()).error.code).toBe('service-unavailable')
    const { status, checks } = await second.context.readiness.check()
    expect(status).toBe('degraded')
    expect(checks).toContainEqual({
      name: 'media-bucket',
      ok: false,
      reason: 'The media bucket is unavailable.',
    })

    await s3.start()
    expect((await uploads.file(picture)).statusCode).toBe(201)
  }, 400_000)
})
