import { mkdir, mkdtemp, readdir, readFile, rm, utimes, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { describe, expect, it, onTestFinished } from 'vitest'
import { randomIds, sha256 } from '#platform/ids.ts'
import { createFixedClock } from '#test/factories/fixed-clock.ts'
import { createDiskUploadSpool } from './disk-upload-spool.ts'

const now = new Date('2026-11-20T17:00:00.000Z')

async function newFolder(): Promise<string> {
  const parent = await mkdtemp(join(tmpdir(), 'tidings-uploads-'))
  onTestFinished(() => rm(parent, { recursive: true, force: true }))
  return join(parent, 'uploads')
}

function spoolIn(folder: string) {
  return createDiskUploadSpool({ folder, clock: createFixedClock(now), ids: randomIds })
}

describe('createDiskUploadSpool', () => {
  it('stores a stream with its size and hash until it is disposed', async () => {
    const folder = await newFolder()
    const chunks = [Buffer.from('one '), Buffer.alloc(200_000, 'x'), Buffer.from('')]
    {
      await using upload = await spoolIn(folder).receive(Readable.from(chunks))
      expect(upload).toMatchObject({ bytes: 200_004, hash: sha256(Buffer.concat(chunks)) })
      expect(await readFile(upload.path)).toEqual(Buffer.concat(chunks))
    }
    expect(await readdir(folder)).toEqual([])
  })

  it('leaves no file of a stream that breaks off', async () => {
    const folder = await newFolder()
    async function* broken() {
      yield Buffer.from('half')
      throw new Error('The sender left')
    }
    await expect(spoolIn(folder).receive(broken())).rejects.toThrow('The sender left')
    expect(await readdir(folder)).toEqual([])
  })

  it('is unavailable where it cannot write', async () => {
    const folder = await newFolder()
    await writeFile(folder, 'a file in its place')
    const receiving = spoolIn(folder).receive(Readable.from([Buffer.from('x')]))
    await expect(receiving).rejects.toMatchObject({ code: 'service-unavailable', status: 503 })
  })

  it('deletes what a killed process left more than an hour ago', async () => {
    const folder = await newFolder()
    await mkdir(folder)
    for (const [name, minutes] of [
      ['recent', 59],
      ['abandoned', 61],
    ] as const) {
      const at = new Date(now.getTime() - minutes * 60_000)
      await writeFile(join(folder, name), 'x')
      await utimes(join(folder, name), at, at)
    }
    const upload = await spoolIn(folder).receive(Readable.from([]))
    onTestFinished(() => upload[Symbol.asyncDispose]())
    expect(await readdir(folder)).toContain('recent')
    expect(await readdir(folder)).not.toContain('abandoned')
  })
})
