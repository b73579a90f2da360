import { mkdtemp, readdir, utimes, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { describe, expect, it } from 'vitest'
import { createDiskFileStore } from './disk-file-store.ts'

const name = `${'a'.repeat(64)}.pdf`
const other = `${'b'.repeat(64)}.pdf`

async function openStore() {
  const folder = path.join(await mkdtemp(path.join(tmpdir(), 'file-store-')), 'files')
  return { folder, store: createDiskFileStore(folder) }
}

describe('a file', () => {
  it('is found as it was saved, also after it is saved again', async () => {
    const { folder, store } = await openStore()
    expect(await store.find(name)).toBeNull()
    for (const text of ['first', 'second']) {
      await store.save(name, Buffer.from(text))
      expect((await store.find(name))?.toString()).toBe(text)
    }
    expect(await readdir(folder)).toEqual([name])
  })

  it('that a crash left half written is not found, and can be saved', async () => {
    const { folder, store } = await openStore()
    await store.save(other, Buffer.from('other'))
    await writeFile(path.join(await mkdtemp(path.join(folder, 'incoming-')), name), 'hal')
    expect(await store.find(name)).toBeNull()
    await store.save(name, Buffer.from('half'))
    expect((await store.find(name))?.toString()).toBe('half')
  })

  it.each(['../a.pdf', 'a.pdf', `${'a'.repeat(64)}.pdf/x`, ''])('cannot have the name %j', async (wrong) => {
    const { store } = await openStore()
    await expect(store.save(wrong, Buffer.from('x'))).rejects.toThrow('Invalid file name')
    await expect(store.find(wrong)).rejects.toThrow('Invalid file name')
  })
})

describe('removeStoredBefore', () => {
  it('removes older files, and what a crash left', async () => {
    const { folder, store } = await openStore()
    const [old, now] = [new Date('2026-10-01'), new Date('2026-11-20')]
    await store.removeStoredBefore(now)
    await store.save(name, Buffer.from('old'))
    await store.save(other, Buffer.from('new'))
    await mkdtemp(path.join(folder, 'incoming-'))
    for (const each of await readdir(folder))
      if (each !== other) await utimes(path.join(folder, each), old, old)
    await utimes(path.join(folder, other), now, now)
    await store.removeStoredBefore(now)
    expect(await readdir(folder)).toEqual([other])
  })
})
