import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { PictureVariant } from '../pictures/picture-encoder.ts'
import { createDiskMediaStore } from './disk-media-store.ts'

const name = 'abcdefghij0123456789'
const file = `${name}.jpg`

let folder: string
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'tidings-media-'))
})
afterEach(() => rm(folder, { recursive: true, force: true }))

function variant(width: number, text: string): PictureVariant {
  return { width, format: 'webp', bytes: Buffer.from(text) }
}

async function textOf(store: ReturnType<typeof createDiskMediaStore>, width: number) {
  return (await store.open(file, width, 'webp'))?.bytes.toString()
}

describe('createDiskMediaStore', () => {
  it('returns the stored bytes by width and format', async () => {
    const store = createDiskMediaStore(folder)
    await store.save(file, [
      variant(360, 'small'),
      variant(720, 'large'),
      { ...variant(360, 'old'), format: 'jpeg' },
    ])
    expect(await textOf(store, 360)).toBe('small')
    expect(await textOf(store, 720)).toBe('large')
    expect((await store.open(file, 360, 'jpeg'))?.bytes.toString()).toBe('old')
  })

  it('stores a picture in its own folder under its first two letters, without temporary files', async () => {
    await createDiskMediaStore(join(folder, 'media')).save(file, [variant(360, 'small')])
    expect(await readdir(join(folder, 'media'))).toEqual(['ab'])
    expect(await readFile(join(folder, 'media', 'ab', name, '360.webp'), 'utf8')).toBe('small')
  })

  it('returns null for an unknown picture', async () => {
    const store = createDiskMediaStore(folder)
    await store.save(file, [variant(360, 'small')])
    expect(await store.open('zzzzzzzzzzzzzzzzzzzz.jpg', 360, 'webp')).toBeNull()
    expect(await store.open(file, 1080, 'webp')).toBeNull()
    expect(await store.open(file, 360, 'avif')).toBeNull()
  })

  it('returns null when the folder is missing', async () => {
    expect(await createDiskMediaStore(join(folder, 'none')).open(file, 360, 'webp')).toBeNull()
  })

  it.each([
    ['leaves the folder', `../${file}`],
    ['leaves the folder in percent-encoding', `..%2f${file}`],
    ['is a folder', `ab/${file}`],
    ['is absolute', '/etc/passwd'],
    ['is short', 'abc.jpg'],
    ['is long', `${'a'.repeat(41)}.jpg`],
    ['is in upper case', file.toUpperCase()],
    ['has another extension', `${name}.png`],
    ['ends with a line break', `${file}\n`],
    ['contains a null character', `${name}\0.jpg`],
    ['is empty', ''],
  ])('rejects a name that %s', async (_why, bad) => {
    const store = createDiskMediaStore(join(folder, 'media'))
    await mkdir(join(folder, 'media'))
    await writeFile(join(folder, file), 'outside')
    await expect(store.save(bad, [variant(360, 'x')])).rejects.toThrow('Invalid picture name')
    expect(await store.open(bad, 360, 'webp')).toBeNull()
    await store.remove(bad)
    expect(await readdir(folder, { recursive: true })).toEqual(expect.arrayContaining([file, 'media']))
    expect(await readdir(join(folder, 'media'))).toEqual([])
  })

  it.each([Number.NaN, 1.5, Number.POSITIVE_INFINITY])('returns null for the width %s', async (width) => {
    expect(await createDiskMediaStore(folder).open(file, width, 'webp')).toBeNull()
  })

  it('replaces an older copy', async () => {
    const store = createDiskMediaStore(folder)
    await store.save(file, [variant(360, 'old'), variant(720, 'kept')])
    await store.save(file, [variant(360, 'new')])
    expect(await textOf(store, 360)).toBe('new')
    expect(await textOf(store, 720)).toBe('kept')
    expect(await readdir(folder)).toEqual(['ab'])
  })

  it('stores nothing when a file cannot be written', async () => {
    const store = createDiskMediaStore(folder)
    await expect(store.save(file, [variant(360, 'one'), variant(360, 'the same again')])).rejects.toThrow(
      'EEXIST',
    )
    expect(await textOf(store, 360)).toBeUndefined()
    expect(await readdir(folder)).toEqual(['ab'])
    expect(await readdir(join(folder, 'ab'))).toEqual([])
  })

  it('never returns a picture that is incomplete after a crash', async () => {
    const store = createDiskMediaStore(folder)
    await mkdir(join(folder, 'incoming-x1y2z3'))
    await writeFile(join(folder, 'incoming-x1y2z3', '360.webp'), 'half')
    expect(await textOf(store, 360)).toBeUndefined()
    await store.save(file, [variant(360, 'whole')])
    expect(await textOf(store, 360)).toBe('whole')
  })

  it('returns another tag for other bytes', async () => {
    const store = createDiskMediaStore(folder)
    await store.save(file, [variant(360, 'one'), variant(720, 'another')])
    const [small, again, large] = [
      await store.open(file, 360, 'webp'),
      await store.open(file, 360, 'webp'),
      await store.open(file, 720, 'webp'),
    ]
    expect(small?.etag).toMatch(/^[a-z0-9-]+$/)
    expect(again?.etag).toBe(small?.etag)
    expect(large?.etag).not.toBe(small?.etag)
  })

  it('deletes a picture, and does nothing the second time', async () => {
    const store = createDiskMediaStore(folder)
    await store.save(file, [variant(360, 'small')])
    await store.remove(file)
    await store.remove(file)
    expect(await textOf(store, 360)).toBeUndefined()
  })

  it('throws when the folder cannot be read', async () => {
    await mkdir(join(folder, 'ab', name, '360.webp'), { recursive: true })
    await expect(createDiskMediaStore(folder).open(file, 360, 'webp')).rejects.toThrow('EISDIR')
  })
})
