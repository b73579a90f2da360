import { mkdtemp, readdir, rm, utimes } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { describe, expect, onTestFinished } from 'vitest'
import type { PictureEncoder } from '#integrations/pictures/picture-encoder.ts'
import { createDiskMediaStore } from '#integrations/storage/disk-media-store.ts'
import type { MediaStore } from '#integrations/storage/media-store.ts'
import { createBucket } from '#integrations/storage/s3/bucket.ts'
import { createS3MediaStore } from '#integrations/storage/s3/s3-media-store.ts'
import { s3Keys, startS3 } from '#test/content/s3-server.ts'
import { draftEdition, memoContent } from '#test/factories/editions.ts'
import { jpegPicture } from '#test/factories/pictures.ts'
import { siteTest } from '#test/fixtures.ts'
import { createMediaService } from './index.ts'
import { removePictures } from './media.jobs.ts'

const picture = await jpegPicture(40, 30)
const dayMs = 86_400_000

type Times = { store: MediaStore; age(file: string, days: number): Promise<void> }

async function folderStore(now: Date): Promise<Times> {
  const folder = await mkdtemp(path.join(tmpdir(), 'tidings-media-'))
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  return {
    store: createDiskMediaStore(folder),
    async age(file, days) {
      const place = path.join(folder, file.slice(0, 2), file.replace('.jpg', ''))
      const at = new Date(now.getTime() - days * dayMs)
      for (const name of await readdir(place)) await utimes(path.join(place, name), at, at)
    },
  }
}

/** The times of a bucket's objects can't be set, so its lists are aged. */
async function bucketStore(now: Date): Promise<Times> {
  const store = createS3MediaStore(createBucket((await startS3()).location, s3Keys))
  const ages = new Map<string, Date>()
  return {
    store: {
      ...store,
      async *list() {
        for await (const variant of store.list()) {
          yield { ...variant, storedAt: ages.get(variant.file) ?? now }
        }
      },
      lastStored: async (file) => ages.get(file) ?? (await store.lastStored(file)),
      async save(file, variants) {
        ages.delete(file)
        await store.save(file, variants)
      },
    },
    age: async (file, days) => void ages.set(file, new Date(now.getTime() - days * dayMs)),
  }
}

const it = siteTest().extend('library', ({ site }) => async (open = folderStore) => {
  const { context, clock } = site
  const { db } = context.database
  const { store, age } = await open(clock.now())
  let encoded = 0
  const service = (over: { store?: MediaStore; encoder?: PictureEncoder } = {}) =>
    createMediaService({
      ...context,
      used: context.caches.usedPictures,
      secret: context.config.secrets.siteSecret,
      store,
      encoder: {
        async encode(source, use) {
          encoded += 1
          return await context.encoder.encode(source, use)
        },
      },
      ...over,
    })
  const media = service()
  const upload = () => Buffer.concat([picture, Buffer.from(context.ids.name())])
  return {
    service,
    media,
    store,
    upload,
    encoded: () => encoded,
    isStored: async (file: string) => (await store.open(file, 360, 'jpeg')) !== null,
    row: async (file: string) => await db.media.findUnique({ where: { file } }),
    /** Uploads a picture as many days ago. */
    async uploadAgo(days: number, content = upload()): Promise<string> {
      const { file } = await media.prepare(content, 'editorial')
      await age(file, days)
      await db.media.update({
        where: { file },
        data: { createdAt: new Date(clock.now().getTime() - days * dayMs) },
      })
      return file
    },
    age,
  }
})

describe('pictures that nothing shows', () => {
  it.for([
    ['a folder', folderStore],
    ['a bucket', bucketStore],
  ] as const)('are deleted from %s after 90 days', async ([_name, open], { site, library }) => {
    const { media, uploadAgo, isStored, row } = await library(open)
    const [old, recent] = [await uploadAgo(91), await uploadAgo(89)]
    expect(await media.removeUnreferenced()).toBe(1)
    expect([await isStored(old), await isStored(recent)]).toEqual([false, true])
    expect([await row(old), await row(recent)]).toEqual([null, expect.objectContaining({ file: recent })])
    site.expectNoErrors()
  })

  it('are kept while a draft, an article or a member uses them', async ({ site, members, library }) => {
    const { media, uploadAgo, isStored, age } = await library()
    const { database, memos } = site.context
    const [inDraft, inArticle] = [await uploadAgo(100), await uploadAgo(100)]
    const draft = await draftEdition(site.context, '12-01-26-10AM', 1)
    await database.transaction((tx) =>
      memos.add(tx, draft.edition, { ...memoContent(2), mediaFile: inDraft }),
    )
    await database.db.article.create({ data: { title: 'A', content: '<p>x</p>', mediaFile: inArticle } })
    const { file: ofMember } = await media.prepare(picture, 'profile')
    await age(ofMember, 100)
    const { memberId: id } = await members.signUp()
    await database.db.member.update({ where: { id }, data: { profileImage: ofMember } })

    expect(await media.removeUnreferenced()).toBe(0)
    for (const file of [inDraft, inArticle, ofMember]) expect(await isStored(file)).toBe(true)

    await database.db.member.update({ where: { id }, data: { profileImage: null } })
    expect(await media.removeUnreferenced()).toBe(1)
  })

  it.for(['deleted', 'given another picture'])(
    'are kept for 90 days after their memo was %s: sent emails still show them',
    async (change, { site, library }) => {
      const { media, uploadAgo, isStored, row } = await library()
      const { database, memos } = site.context
      const [file, other] = [await uploadAgo(200), await uploadAgo(200)]
      const draft = await draftEdition(
        site.context,
        change === 'deleted' ? '12-02-26-10AM' : '12-02-26-3PM',
        1,
      )
      const { id } = await database.transaction((tx) =>
        memos.add(tx, draft.edition, { ...memoContent(2), mediaFile: file }),
      )
      const before = await row(file)
      if (change === 'deleted') await database.db.memo.delete({ where: { id } })
      else await database.db.memo.update({ where: { id }, data: { mediaFile: other } })

      const after = await row(file)
      expect(after?.createdAt.getTime()).toBeGreaterThan(before?.createdAt.getTime() ?? 0)
      await database.db.media.update({ where: { file }, data: { createdAt: site.clock.now() } })
      await media.removeUnreferenced()
      expect(await isStored(file)).toBe(true)
    },
  )

  it('are deleted also where a failed upload left files without a row', async ({ site, library }) => {
    const { media, uploadAgo, isStored } = await library()
    const file = await uploadAgo(91)
    await site.context.database.db.media.delete({ where: { file } })
    expect(await media.removeUnreferenced()).toBe(1)
    expect(await isStored(file)).toBe(false)
  })

  it('stay when the same content is uploaded again', async ({ library }) => {
    const { media, upload, uploadAgo, isStored, row } = await library()
    const content = upload()
    const file = await uploadAgo(91, content)
    expect((await media.prepare(content, 'editorial')).file).toBe(file)
    expect(await media.removeUnreferenced()).toBe(0)
    expect(await isStored(file)).toBe(true)
    expect(await row(file)).not.toBeNull()
  })

  it('are stored anew by an upload that comes while they are deleted', async ({ library }) => {
    const { service, media, store, upload, uploadAgo, isStored, row } = await library()
    const content = upload()
    const file = await uploadAgo(91, content)
    let uploading: Promise<unknown> = Promise.resolve()
    const deleting = service({
      store: {
        ...store,
        async remove(name) {
          uploading = media.prepare(content, 'editorial')
          await store.remove(name)
        },
      },
    })
    expect(await deleting.removeUnreferenced()).toBe(1)
    await uploading
    expect(await isStored(file)).toBe(true)
    expect(await row(file)).not.toBeNull()
  })

  it('stay when they are most of many, as with the database of another site', async ({ library }) => {
    const { service, store } = await library()
    const names = Array.from({ length: 21 }, (_, number) => `${String(number).padStart(26, 'x')}.jpg`)
    const { removeUnreferenced } = service({
      store: {
        ...store,
        async *list() {
          for (const file of names) yield { file, width: 360, format: 'jpeg', storedAt: new Date(0) }
        },
        remove: () => Promise.reject(new Error('It was deleted')),
      },
    })
    expect(await removeUnreferenced()).toBe(0)
  })

  it('are deleted by a job, unless the site is held as a copy', async ({ site, library }) => {
    const { media, uploadAgo, isStored } = await library()
    const file = await uploadAgo(91)
    const hold = { findHold: () => Promise.resolve('copied') }
    await removePictures.run({}, { media, sendingGuard: hold })
    expect(await isStored(file)).toBe(true)
    await removePictures.run({}, { media, sendingGuard: site.context.sendingGuard })
    expect(await isStored(file)).toBe(false)
  })
})

describe('two processes that get the same upload at once', () => {
  it('encode it once', async ({ library }) => {
    const { service, media, store, upload, encoded } = await library()
    const content = upload()
    const saved: string[] = []
    const other = service({
      store: {
        ...store,
        async save(file, variants) {
          saved.push(file)
          await store.save(file, variants)
        },
      },
    })
    const pictures = await Promise.all(
      [media, other, media, other].map((process) => process.prepare(content, 'editorial')),
    )
    expect(new Set(pictures.map(({ file }) => file)).size).toBe(1)
    expect(encoded()).toBe(1)
    expect(saved.length).toBeLessThanOrEqual(1)
  })

  it('encode it again where the first one fails', async ({ library }) => {
    const { service, media, upload, encoded } = await library()
    const content = upload()
    let second: Promise<unknown> = Promise.resolve()
    const failing = service({
      encoder: {
        async encode() {
          second = media.prepare(content, 'editorial')
          throw new Error('The disk is full')
        },
      },
    })
    await expect(failing.prepare(content, 'editorial')).rejects.toThrow('The disk is full')
    await second
    expect(encoded()).toBe(1)
  })
})
