import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { describe, expect, vi } from 'vitest'
import type { PdfFormat } from '#integrations/pdf/pdf-document.ts'
import type { TestDesk } from '#test/desk.ts'
import { createRecipient } from '#test/factories/recipients.ts'
import { deliveryTest } from '#test/sites/delivery-site.ts'
import type { TestApp } from '#test/test-app.ts'
import { waitOptions } from '#test/wait-options.ts'

const it = deliveryTest({ env: { BOUNCE_LIMIT: '1' } })
const key = '11-20-26-A'
const failed = 'render The PDF could not be rendered.'

const folderOf = (site: TestApp) => path.join(site.context.config.dataDir, 'pdf')
// Retried, because a PDF is stored after its readers have received it: the last one may still be on its way.
it.beforeEach(({ delivery }) => rm(folderOf(delivery.site), { recursive: true, force: true, maxRetries: 10 }))

/** Creates members with these pages, in the order in which they receive an edition. */
async function createReaders(site: TestApp, formats: readonly PdfFormat[]) {
  const created = []
  for (const _format of formats)
    created.push(await createRecipient(site, { customFields: { getPDFMethodByEmail: true } }))
  const readers = created.toSorted((one, other) => (one.memberId < other.memberId ? -1 : 1))
  for (const [index, { memberId }] of readers.entries()) {
    const pdfFormat = formats[index] ?? 'phone'
    await site.context.database.db.member.update({ where: { id: memberId }, data: { pdfFormat } })
  }
  return readers
}

describe('an edition whose PDF fails', () => {
  it('stays planned, and is sent once the PDF can be made', async ({ delivery }) => {
    const { site, script, db } = delivery
    await createReaders(site, ['a4', 'phone', 'a4'])
    const run = await delivery.publish(key)
    // A file in the folder's place, so that no PDF can be stored.
    await writeFile(folderOf(site), '')
    await delivery.send(run)
    const rows = await db.delivery.findMany({ where: { runId: run?.id ?? 0 } })
    const waiting = { state: 'planned', attempts: 1, reason: failed, nextAttemptAt: expect.any(Date) }
    expect(rows).toMatchObject([waiting, waiting, waiting])
    await rm(folderOf(site))

    await delivery.send(run)

    expect(script.sent).toHaveLength(3)
    expect(await delivery.runOf(key)).toMatchObject({ state: 'done' })
  })

  it('is sent to the members with other pages, and the desk shows which ones wait', async ({ delivery }) => {
    const { site, desk, script } = delivery
    const readers = await createReaders(site, ['a4', 'a4', 'a4', 'phone', 'a4', 'phone'])
    const run = await delivery.publish(key)
    const repair = await breakA4(delivery)

    await delivery.send(run)

    const [, , , one, , other] = readers
    expect(script.sent.map(({ to }) => to)).toEqual([one?.email, other?.email])
    const report = await desk.call('GET', `/editions/${key}/delivery-report`)
    expect(report.json().data).toMatchObject({
      state: 'sending',
      counts: [
        { method: 'pdf-email', state: 'planned', reason: failed, count: 4 },
        { method: 'pdf-email', state: 'sent', reason: null, count: 2 },
      ],
    })

    await repair()
    await delivery.send(run)

    expect(script.sent.map(({ to }) => to).sort()).toEqual(readers.map(({ email }) => email).sort())
    expect(await delivery.runOf(key)).toMatchObject({ state: 'done' })
  })

  it('suppresses at once the addresses that were refused meanwhile', async ({ delivery }) => {
    const { site, script, db } = delivery
    const [one, other] = await createReaders(site, ['phone', 'phone', 'a4'])
    script.answer = async () => ({ outcome: 'permanent', code: '550', response: 'no such user' })
    const run = await delivery.publish(key)
    await breakA4(delivery)

    await delivery.send(run)

    const suppressed = await db.suppression.findMany({ where: { suppressedAt: { not: null } } })
    expect(suppressed.map(({ address }) => address).sort()).toEqual([one?.email, other?.email].sort())
  })
})

/** Replaces the edition's stored A4 pages by a folder, so that they can't be read. The returned function removes it. */
async function breakA4({ site, desk }: { site: TestApp; desk: TestDesk }) {
  const { statusCode, rawPayload } = await desk.call('GET', `/editions/${key}/pdf?format=a4`)
  expect(statusCode).toBe(200)
  const place = await placeOf(site, rawPayload)
  await rm(place)
  await mkdir(place)
  return async () => await rm(place, { recursive: true })
}

/** Waits until a PDF is stored. Returns its path. */
async function placeOf(site: TestApp, pdf: Buffer): Promise<string> {
  return await vi.waitFor(async () => {
    for (const name of await readdir(folderOf(site))) {
      const place = path.join(folderOf(site), name)
      if (name.endsWith('.pdf') && pdf.equals(await readFile(place))) return place
    }
    throw new Error('The PDF is not stored.')
  }, waitOptions)
}
