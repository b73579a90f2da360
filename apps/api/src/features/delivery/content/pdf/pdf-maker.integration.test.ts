import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { describe, expect, onTestFinished } from 'vitest'
import { createDiskFileStore } from '#integrations/storage/disk-file-store.ts'
import { createDatabase, type Database } from '#platform/database.ts'
import { siteTest } from '#test/fixtures.ts'
import { pdfDocument, pdfMemo } from '#test/pdf/pdf-documents.ts'
import { waitOptions } from '#test/wait-options.ts'
import { createPdfMaker } from './pdf-maker.ts'

const document = pdfDocument([pdfMemo('Ships', '<p>News.</p>')])
const claimMs = 35_000
let names = 0

const it = siteTest().extend('pdf', async ({ site, db }, { onCleanup }) => {
  names += 1
  const name = `${String(names).padStart(16, '0')}.pdf`
  const folder = await mkdtemp(path.join(tmpdir(), 'tidings-pdf-'))
  // A PDF is stored after its readers have it.
  onCleanup(() => rm(folder, { recursive: true, force: true, maxRetries: 20 }))
  const pdfStore = createDiskFileStore(folder)
  const { pdfRenderer } = site.context
  let rendered = 0
  return {
    name,
    rendered: () => rendered,
    stored: () => pdfStore.find(name),
    claim: () => db.fileClaim.findUnique({ where: { name } }),
    /** Starts a process that shares the database and the storage. Its renderer awaits `before` each PDF. */
    process(before: () => Promise<unknown> = async () => {}, database: Database = site.context.database) {
      let lookups = 0
      const make = createPdfMaker({
        ...site.context,
        database,
        pdfStore: {
          ...pdfStore,
          async find(file) {
            lookups += 1
            return await pdfStore.find(file)
          },
        },
        pdfRenderer: {
          ...pdfRenderer,
          async render(...args) {
            rendered += 1
            await before()
            return await pdfRenderer.render(...args)
          },
        },
      })
      return {
        make: (file = name) => make(file, document, new Map()),
        /** Returns whether it has seen another one's claim. */
        isWaiting: () => lookups > 1,
      }
    },
  }
})

describe('a PDF that several processes need', () => {
  it('is made once for twenty concurrent requests to two of them', async ({ pdf }) => {
    const processes = [pdf.process(), pdf.process()]
    const made = await Promise.all(Array.from({ length: 20 }, (_, index) => processes[index % 2]?.make()))
    expect(pdf.rendered()).toBe(1)
    expect(new Set(made.map((bytes) => bytes?.toString('base64'))).size).toBe(1)
    await expect.poll(pdf.claim, waitOptions).toBeNull()
  })

  it('is made without a connection to the database', async ({ site, pdf }) => {
    const { url } = site.context.config.database
    const options = { url, connections: 1, waitSeconds: 10, logger: site.context.logger }
    const database = createDatabase({ ...options, applicationName: 'pdf test' })
    onTestFinished(() => database.close())
    const { make } = pdf.process(() => database.pool.query('SELECT 1'), database)
    expect(await make()).toBeInstanceOf(Buffer)
  })

  it('is made by another one once the claim of a dead one expires', async ({ site, pdf }) => {
    const killed = Promise.withResolvers<void>()
    const dead = pdf.process(() => killed.promise).make()
    await expect.poll(pdf.rendered, waitOptions).toBe(1)
    const other = pdf.process()
    const waiting = other.make()
    site.clock.pass(claimMs - 1)
    await expect.poll(other.isWaiting, waitOptions).toBe(true)
    expect(pdf.rendered()).toBe(1)
    site.clock.pass(1)

    expect(await waiting).toBeInstanceOf(Buffer)
    expect(pdf.rendered()).toBe(2)
    killed.reject(new Error('Killed'))
    await expect(dead).rejects.toThrow('Killed')
  })

  it('is not stored by one whose claim has passed to another', async ({ site, pdf }) => {
    const late = Promise.withResolvers<void>()
    const lateProcess = pdf.process(() => late.promise)
    const lateRequest = lateProcess.make()
    await expect.poll(pdf.rendered, waitOptions).toBe(1)
    site.clock.pass(claimMs)
    const current = Promise.withResolvers<void>()
    const currentRequest = pdf.process(() => current.promise).make()
    await expect.poll(pdf.rendered, waitOptions).toBe(2)
    const claim = await pdf.claim()

    late.resolve()
    expect(await lateRequest).toBeInstanceOf(Buffer)
    // It makes its next PDF after it has stored this one, or not.
    await lateProcess.make(`next${pdf.name}`)
    expect(await pdf.stored()).toBeNull()
    expect(await pdf.claim()).toEqual(claim)

    current.resolve()
    const made = await currentRequest
    await expect.poll(pdf.stored, waitOptions).toEqual(made)
  })

  it('is made by one that waits if the other fails', async ({ pdf }) => {
    const failing = Promise.withResolvers<void>()
    const first = pdf.process(() => failing.promise).make()
    await expect.poll(pdf.rendered, waitOptions).toBe(1)
    const others = [pdf.process(), pdf.process()]
    const requests = Promise.allSettled([first, ...others.map(({ make }) => make())])
    await expect.poll(() => others.every(({ isWaiting }) => isWaiting()), waitOptions).toBe(true)
    failing.reject(new Error('Typst: error'))
    expect(await requests).toMatchObject([
      { status: 'rejected', reason: { message: 'Typst: error' } },
      { status: 'fulfilled' },
      { status: 'fulfilled' },
    ])
    expect(pdf.rendered()).toBe(2)
    await expect.poll(pdf.claim, waitOptions).toBeNull()
  })
})
