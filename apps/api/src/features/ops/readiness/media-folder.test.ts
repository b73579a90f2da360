import { mkdtemp, readdir, rm, symlink } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { createFolderProbe } from './media-folder.ts'

async function temporaryFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'tidings-media-'))
  onTestFinished(() => rm(folder, { recursive: true }))
  return folder
}

describe('createFolderProbe', () => {
  it('leaves nothing in a writable folder, which it creates', async () => {
    const folder = join(await temporaryFolder(), 'media')
    expect(await createFolderProbe(folder)()).toBeNull()
    expect(await readdir(folder)).toEqual([])
  })

  it('names a full disk', async () => {
    const folder = await temporaryFolder()
    await symlink('/dev/full', join(folder, `.write-check-${process.pid}`))
    expect(await createFolderProbe(folder)()).toBe('The disk of the media folder is full.')
  })
})
