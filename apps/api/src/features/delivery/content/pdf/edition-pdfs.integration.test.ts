import { mkdtemp, rm, symlink } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { describe, expect } from 'vitest'
import type { BucketLocation } from '#config/media-settings.ts'
import type { DeliveryContent } from '#features/delivery/delivery-email.ts'
import type { PdfRenderer } from '#integrations/pdf/pdf-renderer.ts'
import { createDiskFileStore } from '#integrations/storage/disk-file-store.ts'
import type { FileStore } from '#integrations/storage/file-store.ts'
import { createBucket } from '#integrations/storage/s3/bucket.ts'
import { createS3FileStore } from '#integrations/storage/s3/s3-file-store.ts'
import type { Logger } from '#platform/logger.ts'
import { createCapturedLog } from '#test/captured-log.ts'
import { s3Keys, startS3 } from '#test/content/s3-server.ts'
import { publishedEdition } from '#test/factories/editions.ts'
import { jpegPicture } from '#test/factories/pictures.ts'
import { siteTest } from '#test/fixtures.ts'
import { readPdf } from '#test/pdf/read-pdf.ts'
import { waitOptions } from '#test/wait-options.ts'
import { contentOf } from '../edition-content.ts'
import { sampleSite } from '../email/samples.ts'
import { createEditionPdfs } from './edition-pdfs.service.ts'

let days = 1

async function listed(location: BucketLocation): Promise<string[]> {
  const keys: string[] = []
  for await (const { key } of createBucket(location, s3Keys).list('pdf/')) keys.push(key)
  return keys
}

const it = siteTest().extend('published', { scope: 'file' }, ({ site, db }) => async () => {
  const key = `11-${String(days++).padStart(2, '0')}-26-10AM`
  const { edition, memos } = await publishedEdition(site.context, key, 2)
  let rendered = 0
  const renderer: PdfRenderer = {
    ...site.context.pdfRenderer,
    render: async (document, pictures) => {
      rendered += 1
      return await site.context.pdfRenderer.render(document, pictures)
    },
  }
  const id = { date: { year: 2026, month: 11, day: days - 1 }, slot: '10AM' }
  return {
    id,
    memoId: memos[0]?.id ?? '',
    rendered: () => rendered,
    /** Creates the service of another process, which shares the storage and the database. */
    createPdfs: (own: { pdfStore?: FileStore; logger?: Logger } = {}) =>
      createEditionPdfs({ ...site.context, pdfRenderer: renderer, deliverySite: sampleSite, ...own }),
    async content(): Promise<DeliveryContent> {
      const row = await db.edition.findUniqueOrThrow({ where: { id: edition.id } })
      const content = await contentOf(db, 'memo', [row])
      if (content === null) throw new Error('no content')
      return content
    },
    async correct(data: { title?: string; mediaFile?: string }): Promise<void> {
      await db.memo.update({ where: { id: memos[0]?.id ?? '' }, data })
      await db.edition.update({ where: { id: edition.id }, data: { version: { increment: 1 } } })
    },
  }
})

describe('the PDF of an edition', () => {
  it('is made once for a thousand readers at two processes', async ({ published }) => {
    const { id, createPdfs, rendered } = await published()
    const processes = [createPdfs(), createPdfs()]
    const pdfs = await Promise.all(
      Array.from({ length: 1_000 }, (_, reader) => processes[reader % 2]?.ofPublished(id, 'phone')),
    )
    expect(rendered()).toBe(1)
    expect(new Set(pdfs.map((pdf) => pdf?.toString('base64'))).size).toBe(1)
  })

  it('is made again for each format and correction, and not for a version that looks the same', async ({
    published,
  }) => {
    const { content, correct, createPdfs, rendered } = await published()
    const pdfs = createPdfs()
    for (const format of ['phone', 'a4', 'phone', 'a4'] as const) await pdfs.of(await content(), format)
    expect(rendered()).toBe(2)
    await correct({ title: 'Other' })
    expect((await readPdf(await pdfs.of(await content(), 'phone'))).bookmarks).toEqual(['Other', 'Memo 2'])
    await correct({ title: 'Other' })
    await pdfs.of(await content(), 'phone')
    expect(rendered()).toBe(3)
  })

  it('is made again once it is thirty days old and removed', async ({ site, published }) => {
    const { content, createPdfs, rendered } = await published()
    const pdfs = createPdfs()
    await pdfs.of(await content(), 'phone')
    await site.context.removeOld()
    await pdfs.of(await content(), 'phone')
    expect(rendered()).toBe(1)
    const now = site.clock.now()
    site.clock.moveTo(new Date('2126-01-01'))
    await pdfs.removeOld()
    await createPdfs().removeOld()
    site.clock.moveTo(now)
    await pdfs.of(await content(), 'phone')
    expect(rendered()).toBe(2)
  })

  it('shows a picture, and names it once its file is gone', async ({ site, published }) => {
    const { content, correct, createPdfs } = await published()
    const { media, config } = site.context
    const picture = await media.prepare(await jpegPicture(), 'editorial')
    await correct({ mediaFile: picture.file })
    const pdfs = createPdfs()
    expect((await readPdf(await pdfs.of(await content(), 'phone'))).alts).toEqual(['Memo 1'])
    await rm(path.join(config.dataDir, 'media'), { recursive: true })
    const gone = await readPdf(await pdfs.of(await content(), 'phone'))
    expect(gone).toMatchObject({ alts: [], isAccessible: true })
  })

  it('is made also where it cannot be stored, and logs that', async ({ published }) => {
    const { content, createPdfs } = await published()
    const { logger, lines } = createCapturedLog()
    const folder = await mkdtemp(path.join(tmpdir(), 'tidings-pdf-'))
    await symlink(path.join(folder, 'gone', 'pdf'), path.join(folder, 'pdf'))
    const pdfStore = createDiskFileStore(path.join(folder, 'pdf'))
    const pdf = await createPdfs({ pdfStore, logger }).of(await content(), 'phone')
    expect((await readPdf(pdf)).bookmarks).toEqual(['Memo 1', 'Memo 2'])
    await expect
      .poll(() => lines.map((line) => JSON.parse(line).msg), waitOptions)
      .toEqual(['pdf storage failed'])
  })

  it('is in the bucket for other hosts, and made again while the bucket is away', async ({ published }) => {
    const s3 = await startS3()
    const onHost = () => ({ pdfStore: createS3FileStore(createBucket(s3.location, s3Keys), 'pdf') })
    const { content, createPdfs, rendered } = await published()
    const first = await createPdfs(onHost()).of(await content(), 'phone')
    await expect.poll(async () => (await listed(s3.location)).length, waitOptions).toBe(1)
    expect(await createPdfs(onHost()).of(await content(), 'phone')).toEqual(first)
    expect(rendered()).toBe(1)

    await s3.stop()
    const { logger, lines } = createCapturedLog()
    const again = await createPdfs({ ...onHost(), logger }).of(await content(), 'phone')
    expect((await readPdf(again)).bookmarks).toEqual(['Memo 1', 'Memo 2'])
    expect(rendered()).toBe(2)
    expect(lines.map((line) => JSON.parse(line).msg)).toContain('pdf store unavailable')
  })

  it('of a draft or an edition that does not exist is none for readers', async ({ published }) => {
    const { id, createPdfs } = await published()
    expect(await createPdfs().ofPublished({ ...id, slot: '3PM' }, 'phone')).toBeNull()
  })
})
