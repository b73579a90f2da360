import { readdir } from 'node:fs/promises'
import { connect } from 'node:net'
import path from 'node:path'
import { describe, expect, vi } from 'vitest'
import { createDeskUploads } from '#test/content/desk-uploads.ts'
import { multipartForm } from '#test/content/multipart.ts'
import { jpegPicture } from '#test/factories/pictures.ts'
import { siteTest } from '#test/fixtures.ts'
import { waitOptions } from '#test/wait-options.ts'

const file = { name: 'file', filename: 'a.jpg', type: 'image/jpeg', content: await jpegPicture(400, 300) }

const it = siteTest()
  .extend('uploads', { scope: 'file' }, ({ site }) => createDeskUploads(site))
  /** Waits until this many uploads are on disk. */
  .extend('waitForFiles', { scope: 'file' }, ({ site }) => async (count: number) => {
    const folder = path.join(site.context.config.dataDir, 'uploads')
    await vi.waitFor(async () => expect(await readdir(folder)).toHaveLength(count), waitOptions)
  })

describe('the temporary file of an upload', () => {
  it('is deleted after the response', async ({ uploads, waitForFiles }) => {
    expect((await uploads.form([file])).statusCode).toBe(201)
    await waitForFiles(0)
  })

  it.for([
    ['with two files', [file, file], 400],
    ['with a text', [{ ...file, content: 'Hello.' }], 415],
    ['with too much', [{ ...file, content: Buffer.alloc(20_000_001) }], 413],
  ] as const)(
    'is deleted for a refused form %s',
    async ([_what, parts, status], { uploads, waitForFiles }) => {
      expect((await uploads.form(parts)).statusCode).toBe(status)
      await waitForFiles(0)
    },
  )

  it('is deleted when the sender leaves', async ({ site, waitForFiles }) => {
    const { hostname, port } = new URL(await site.listen())
    const { headers, payload } = multipartForm([{ ...file, content: Buffer.alloc(1_000_000) }])
    const lines = Object.entries({
      ...headers,
      authorization: site.editor,
      'content-length': payload.length,
    }).map(([name, value]) => `${name}: ${value}\r\n`)
    const socket = connect(Number(port), hostname)
    socket.write(`POST /desk/v1/media HTTP/1.1\r\nHost: a\r\n${lines.join('')}\r\n`)
    socket.write(payload.subarray(0, 500_000))
    await waitForFiles(1)
    socket.destroy()
    await waitForFiles(0)
  })
})
