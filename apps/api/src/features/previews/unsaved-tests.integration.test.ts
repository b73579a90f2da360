import { readdir, readFile } from 'node:fs/promises'
import path from 'node:path'
import { limits } from '@tidings/contracts/limits'
import { afterAll, describe, expect } from 'vitest'
import { refusalOf } from '#test/desk.ts'
import { createRecipient, createSmsRecipient } from '#test/factories/recipients.ts'
import { createTestPeople } from '#test/passkeys/people.ts'
import { readPdf } from '#test/pdf/read-pdf.ts'
import { type DeliverySite, deliveryTest } from '#test/sites/delivery-site.ts'
import { startPhones } from '#test/sms/phones.ts'
import { seen, unsavedTextOf } from '#test/writing/unsaved-text.ts'

const phones = await startPhones()
afterAll(() => phones.stop())

const it = deliveryTest({ env: { ...phones.env, RATE_TEST_SENDS_PER_HOUR: '1000' } })
const key = '11-20-26-A'
const to = 'desk@example.com'
const number = '+12025557777'
const memos = [
  { title: 'Ships', memo_content: '<p>They <b>sail</b>.</p>' },
  { title: 'Rains', memo_content: '<p>All day.</p>' },
]
const subject = 'All about ships'
const { sendTest, preview } = unsavedTextOf(key)

/** Stores what was unsaved: the memos in place of those of the draft, and the subject. */
async function save({ desk }: DeliverySite): Promise<void> {
  const before = await desk.read(key)
  const body = { status: 'draft', subject }
  await desk.call('PUT', `/editions/${key}`, { body, ifMatch: `"${before.version}"` })
  for (const { id, version } of before.memos)
    await desk.call('DELETE', `/memos/${id}`, { ifMatch: `"${version}"` })
  for (const memo of memos) await desk.addMemo(key, memo)
}

describe('a test of unsaved text', () => {
  it('by email is what its preview shows and members then get, with the subject', async ({ delivery }) => {
    const { desk, script, site } = delivery
    await desk.draft(key, ['Stored'])
    const shown = await preview(delivery, 'email', { memos, subject })
    await sendTest(delivery, { method: 'memo-email', memos, subject })
    const stored = await desk.read(key)
    expect([await desk.places(key), stored.subject]).toEqual([['1 Stored'], ''])

    await save(delivery)
    await sendTest(delivery, { method: 'memo-email' })
    await createRecipient(site)
    await delivery.send(await delivery.publishDraft(key))
    const [unsaved, saved, sent] = script.sent
    expect(unsaved?.subject).toBe(`[Test] ${subject}`)
    expect(shown.text).toContain('They sail.')
    expect([shown, unsaved, saved].map(seen)).toEqual([seen(sent), seen(sent), seen(sent)])
    expect(await delivery.db.delivery.count()).toBe(1)
  })

  it('may have the subject alone, or the memos alone', async ({ delivery }) => {
    const { desk, script } = delivery
    const { version } = await desk.draft(key, ['Stored'])
    const body = { status: 'draft', subject: 'Stored subject' }
    await desk.call('PUT', `/editions/${key}`, { body, ifMatch: `"${version}"` })
    await sendTest(delivery, { method: 'memo-email', subject })
    await sendTest(delivery, { method: 'memo-email', memos })
    await sendTest(delivery, { method: 'memo-email', memos, subject: '' })
    expect(script.sent.map((email) => [email.subject, email.text.includes('They sail.')])).toEqual([
      [`[Test] ${subject}`, false],
      ['[Test] Stored subject', true],
      ['[Test] A: Ships, and 1 more', true],
    ])
    for (const [unsaved, shown] of [
      [{ memos }, 'Stored subject'],
      [{ memos, subject: '' }, 'A: Ships, and 1 more'],
    ] as const)
      expect((await preview(delivery, 'email', unsaved)).subject).toBe(shown)
  })

  it('by text is what its preview shows and members then get', async ({ delivery }) => {
    const { desk, site } = delivery
    await desk.draft(key, ['Stored'])
    const member = await createSmsRecipient(site)
    const shown = await preview(delivery, 'sms', { memos, subject })
    await sendTest(delivery, { method: 'memo-sms', to: number, memos, subject })
    await save(delivery)
    await delivery.sendSms(await delivery.publishDraft(key))
    // The first text of a month also says how to stop.
    const withoutLink = (text = '') =>
      text.replace(/http\S+/, 'link').replace('\nReply STOP to end texts.', '')
    const [test] = await phones.textsTo(number)
    const [sent] = await phones.textsTo(member.number)
    expect(shown.text).toContain('Ships')
    expect(withoutLink(test)).toBe(`[Test] ${withoutLink(shown.text)}`)
    expect(withoutLink(sent)).toBe(withoutLink(shown.text))
  })

  it('as PDF is what its preview shows and members then get, and is not stored', async ({ delivery }) => {
    const { desk, script, site } = delivery
    await desk.draft(key, ['Stored'])
    const shown = await preview(delivery, 'pdf', { memos, subject })
    const pdf = { method: 'pdf-email' }
    // At once, because concurrent requests for one version of an edition share a PDF.
    await Promise.all([sendTest(delivery, pdf), sendTest(delivery, { ...pdf, memos, subject })])
    await sendTest(delivery, { ...pdf, memos: [{ title: 'Other' }] })

    await save(delivery)
    await createRecipient(site, { customFields: { getPDFMethodByEmail: true } })
    await delivery.send(await delivery.publishDraft(key))
    const attached = await Promise.all(
      script.sent.map(({ attachment }) => readPdf(attachment?.bytes ?? Buffer.alloc(0))),
    )
    const sent = attached[3]
    expect(sent?.bookmarks).toEqual(['Ships', 'Rains'])
    const titles = attached.slice(0, 3).map(({ bookmarks }) => bookmarks.join(', '))
    expect(titles.toSorted()).toEqual(['Other', 'Ships, Rains', 'Stored'])
    expect(attached[titles.indexOf('Ships, Rains')]).toEqual(sent)
    expect(await readPdf(shown.bytes)).toEqual(sent)
    const folder = path.join(site.context.config.dataDir, 'pdf')
    for (const name of (await readdir(folder)).filter((each) => each.endsWith('.pdf')))
      expect((await readPdf(await readFile(path.join(folder, name)))).bookmarks).not.toEqual(['Other'])
  })

  it('in a digest is what its preview shows and members then get', async ({ delivery }) => {
    const { desk, script, site } = delivery
    await createRecipient(site, { customFields: { combinestatus: true } })
    await delivery.publish('11-20-26-B', ['Morning'])
    await desk.draft(key, ['Stored'])
    const unsaved = { edition: key, memos, subject }
    const shown = await preview(delivery, 'digest', { date: '11-20-26', unsaved })
    const shownStored = await preview(delivery, 'digest', { date: '11-20-26' })
    const digestTest = async (more: object) =>
      (await desk.call('POST', '/digests/11-20-26/test-send', { body: { method: 'digest', to, ...more } }))
        .statusCode
    expect([await digestTest({ unsaved }), await digestTest({})]).toEqual([200, 200])
    expect(await desk.places(key)).toEqual(['1 Stored'])

    await save(delivery)
    await delivery.publishDraft(key)
    await site.context.deliveryOperations.planDigest({ year: 2026, month: 11, day: 20 })
    await delivery.send(await delivery.findDigest('2026-11-20'))
    const [test, stored, sent] = script.sent
    expect(sent?.text).toContain('They sail.')
    expect([shown, test].map(seen)).toEqual([seen(sent), seen(sent)])
    expect(seen(stored)).toEqual(seen(shownStored))
    expect(stored?.text).toMatch(/Stored[\s\S]+Morning/)
  })
})

describe('a test of unsaved text is refused', () => {
  it.for([
    ['an unknown picture', { memos: [{ media: `${'z'.repeat(26)}.jpg` }] }],
    ['no memos', { memos: [] }],
    ['an unknown field', { memos: [{ titel: 'Ships' }] }],
    ['a long subject', { subject: 'x'.repeat(limits.subjectCharacters + 1) }],
    ['a long note', { memos: [{ note: 'x'.repeat(limits.noteCharacters + 1) }] }],
    ['a digest', { unsaved: { edition: key, memos } }],
  ] as const)('with %s', async ([_what, unsaved], { delivery: { desk, script } }) => {
    await desk.draft(key, ['Stored'])
    const body = { method: 'memo-email', to, ...unsaved }
    const reply = await desk.call('POST', `/editions/${key}/test-send`, { body })
    expect(refusalOf(reply)).toMatchObject({ status: 400, code: 'invalid-request' })
    expect(script.sent).toEqual([])
  })

  it('of an unknown edition, and of a digest with one', async ({ delivery: { desk, script } }) => {
    for (const [url, body] of [
      [`/editions/${key}/test-send`, { method: 'memo-email', to, memos }],
      ['/digests/11-20-26/test-send', { method: 'digest', to, unsaved: { edition: key, memos } }],
    ] as const)
      expect(refusalOf(await desk.call('POST', url, { body }))).toMatchObject({
        status: 404,
        code: 'edition-not-found',
      })
    await desk.draft('11-21-26-A')
    const unsaved = { edition: '11-21-26-A', memos }
    const body = { method: 'digest', to, unsaved }
    const reply = await desk.call('POST', '/digests/11-20-26/test-send', { body })
    expect(refusalOf(reply)).toMatchObject({ status: 404, code: 'digest-empty' })
    expect(script.sent).toEqual([])
  })

  it('for writers, but to their own address', async ({ delivery }) => {
    const { desk, script, site } = delivery
    await desk.draft(key, ['Stored'])
    const people = createTestPeople(site)
    const writer = await people.add('writer')
    const send = (address: string) =>
      people.as(writer, 'POST', `/editions/${key}/test-send`, {
        body: { method: 'memo-email', to: address, memos },
      })
    expect(refusalOf(await send(to))).toMatchObject({ status: 403, code: 'own-address-only' })
    expect((await send(writer.email)).statusCode).toBe(200)
    expect(script.sent.map((email) => email.to)).toEqual([writer.email])
  })

  it('when its key is repeated with another text; the same text is sent once', async ({ delivery }) => {
    const { desk, script, db } = delivery
    await desk.draft(key, ['Stored'])
    const send = (title: string) =>
      desk.call('POST', `/editions/${key}/test-send`, {
        body: { method: 'memo-email', to, memos: [{ title }] },
        key: 'once',
      })
    expect([(await send('Secret')).statusCode, (await send('Secret')).statusCode]).toEqual([200, 200])
    expect(refusalOf(await send('Other')).code).toBe('idempotency-key-reused')
    expect(script.sent.map(({ subject: sent }) => sent)).toEqual(['[Test] A: Secret'])
    const kept = [await db.idempotencyRecord.findMany(), await desk.auditOf(key)]
    expect(JSON.stringify(kept)).not.toContain('Secret')
  })

  it('not for its length: all memos may be as long as allowed', async ({ delivery }) => {
    await delivery.desk.draft(key)
    const long = {
      title: 'Long',
      memo_content: `<p>${'word '.repeat(limits.memoContentCharacters / 5 - 2)}</p>`,
    }
    const all = Array.from({ length: limits.memosPerEdition }, () => long)
    await sendTest(delivery, { method: 'memo-email', memos: all })
    expect(delivery.script.sent).toHaveLength(1)
  })
})
