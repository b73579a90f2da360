import { readdir } from 'node:fs/promises'
import path from 'node:path'
import { afterAll, describe, expect } from 'vitest'
import { draftEdition } from '#test/factories/editions.ts'
import { createRecipient, createSmsRecipient } from '#test/factories/recipients.ts'
import { readPdf } from '#test/pdf/read-pdf.ts'
import { deliveryTest } from '#test/sites/delivery-site.ts'
import { startPhones } from '#test/sms/phones.ts'
import { startTestApp, type TestApp } from '#test/test-app.ts'
import { waitOptions } from '#test/wait-options.ts'

const phones = await startPhones()
afterAll(() => phones.stop())

const key = '11-20-26-A'
const methods = { getPDFMethodBySMS: true }
const both = { getPDFMethodBySMS: true, getmemomethodbysms: true }
const dayMs = 86_400_000
const env = {
  ...phones.env,
  SMS_PRICE: '0.01 EUR',
  UNCONFIRMED_AS: 'send-again',
  UNCONFIRMED_AFTER_HOURS: '2',
}
const it = deliveryTest({ env })
it.beforeEach(() => phones.setFaults({}))

/** Returns the path of the link in a text. */
function linkIn(text = ''): string {
  return new URL(text.split('\n')[1] ?? '').pathname
}

async function bookmarksAt(site: TestApp, url: string) {
  const reply = await site.app.inject(url)
  expect([reply.statusCode, reply.headers['content-type']]).toEqual([200, 'application/pdf'])
  return (await readPdf(reply.rawPayload)).bookmarks
}

describe('an edition as PDF by text', () => {
  it('reaches members with a verified number who chose it, each with a link of their own', async ({
    delivery,
  }) => {
    const { site, db, stateOf } = delivery
    const ann = await createSmsRecipient(site, { methods })
    const sharer = await createSmsRecipient(site, { methods, number: ann.number })
    const changed = await createSmsRecipient(site, { methods })
    const withoutNumber = await createRecipient(site, { customFields: methods })
    const digest = await createSmsRecipient(site, { methods: { ...methods, combinestatus: true } })
    const run = await delivery.publish(key, ['Ships “return” 🌊 שלום'])
    expect(await stateOf(run, changed.memberId)).toBe('planned')
    const customFields = { ...methods, phone: '+12025559999' }
    await db.member.update({ where: { id: changed.memberId }, data: { customFields } })

    await delivery.sendSms(run)

    expect(await stateOf(run, ann.memberId)).toBe('sent')
    expect(await stateOf(run, sharer.memberId)).toBe('sent')
    expect(await stateOf(run, changed.memberId)).toBe('suppressed unverified')
    expect(await stateOf(run, withoutNumber.memberId)).toBe('suppressed unverified')
    expect(await stateOf(run, digest.memberId)).toBe('')
    const [first = '', second = ''] = await phones.textsTo(ann.number)
    expect(first).toMatch(/^Tidings, Fri Nov 20, A \(PDF\)/)
    expect(first).toMatch(/\nhttp:\/\/localhost:3000\/l\/[\w-]{37}\n/)
    expect(first).not.toBe(second)
    expect(await bookmarksAt(site, linkIn(first))).toEqual(['Ships “return” 🌊 שלום'])
    expect(await delivery.runOf(key)).toMatchObject({ state: 'done' })
  })

  it('is made before the first text, and once for a thousand readers at once', async ({ delivery }) => {
    const { site } = delivery
    const { number } = await createSmsRecipient(site, { methods })
    const stored = async () => {
      const names = await readdir(path.join(site.context.config.dataDir, 'pdf')).catch(() => [])
      return names.filter((name) => name.endsWith('.pdf'))
    }
    const earlier = await stored()
    await delivery.sendSms(await delivery.publish(key, ['Trains']))
    await expect.poll(stored, waitOptions).toHaveLength(earlier.length + 1)
    const before = await stored()

    const url = linkIn((await phones.textsTo(number))[0])
    const replies = await Promise.all(Array.from({ length: 1_000 }, () => site.app.inject(url)))

    expect(new Set(replies.map(({ statusCode }) => statusCode))).toEqual(new Set([200]))
    expect(new Set(replies.map(({ rawPayload }) => rawPayload.toString('base64'))).size).toBe(1)
    expect(await stored()).toEqual(before)
  })

  it('has a link that opens this PDF alone, without the gate, until it expires', async ({ delivery }) => {
    const { site, db } = delivery
    const { number } = await createSmsRecipient(site, { methods })
    const run = await delivery.publish(key, ['Ships'])
    await delivery.sendSms(run)
    await delivery.sendSms(await delivery.publish('11-20-26-B', ['Trains']))
    const [newest, oldest] = (await phones.textsTo(number)).map(linkIn)
    const url = oldest ?? ''
    expect(await bookmarksAt(site, newest ?? '')).toEqual(['Trains'])
    expect(await bookmarksAt(site, url)).toEqual(['Ships'])
    const reply = await site.app.inject(url)
    expect(reply.headers).toMatchObject({ 'content-disposition': `inline; filename="${key}.pdf"` })
    expect(reply.headers).not.toHaveProperty('set-cookie')
    const row = await db.delivery.findFirstOrThrow({ where: { runId: run?.id ?? 0 } })
    expect(row).toMatchObject({ state: 'sent' })

    const forged = [
      url.slice(0, -1),
      `${url}A`,
      url.replace('/l/', '/l/pdf/'),
      url.replace('/l/', '/l/view/'),
    ]
    for (const each of forged) expect([each, (await site.app.inject(each)).statusCode]).toEqual([each, 404])
    await delivery.withdraw(key)
    expect((await site.app.inject(url)).body).toContain('This edition was withdrawn')
    site.clock.pass(401 * dayMs)
    const expired = await site.app.inject(url)
    expect([expired.statusCode, expired.body]).toEqual([410, expect.stringContaining('has expired')])
  })

  it('waits for the end of the quiet hours of its member', async ({ delivery }) => {
    const { site, db, stateOf } = delivery
    const { memberId } = await createSmsRecipient(site, { methods, timeZone: 'Asia/Tokyo' })
    const run = await delivery.publish(key)
    await delivery.sendSms(run)
    const end = new Date('2026-11-20T23:00:00.000Z')
    const waiting = await db.delivery.findFirst({ where: { memberId } })
    expect(waiting).toMatchObject({ state: 'planned', nextAttemptAt: end })
    site.clock.moveTo(end)
    await delivery.sendSms(run)
    expect(await stateOf(run, memberId)).toBe('sent')
  })

  it('is texted once to each member by two workers, beside the memos', async ({ delivery }) => {
    const { site } = delivery
    const members = []
    for (let each = 0; each < 12; each += 1) members.push(await createSmsRecipient(site, { methods: both }))
    const run = await delivery.publish(key)
    const { database, site: config } = site.context.config
    const other = await startTestApp({
      databaseUrl: database.url,
      working: false,
      env: { ...env, EDITION_SLOTS: config.slots.map(({ label }) => `${label}=20:00`).join(',') },
      overrides: { clock: site.clock },
    })

    site.clock.pass(60_000)
    await Promise.all([site, other].map(({ context }) => context.smsSending.send(run?.id ?? 0)))
    await other.close()

    for (const { number } of members) {
      const replies = (await phones.textsTo(number)).map((text) => site.app.inject(linkIn(text)))
      const types = (await Promise.all(replies)).map(({ headers }) => headers['content-type'])
      expect(types.sort()).toEqual(['application/pdf', 'text/html; charset=utf-8'])
    }
    expect(await delivery.runOf(key)).toMatchObject({ state: 'done' })
  })

  it('is not sent to a number that replied STOP, until it is verified again', async ({ delivery }) => {
    const { site, stateOf } = delivery
    const { memberId, number } = await createSmsRecipient(site, { methods })
    await phones.reply(number, 'STOP')
    const run = await delivery.publish(key)
    await delivery.sendSms(run)
    expect(await stateOf(run, memberId)).toMatch(/^failed 21610/)
    const next = await delivery.publish('11-20-26-B')
    expect(await stateOf(next, memberId)).toBe('suppressed complaint')
  })

  it('whose reply was lost is not sent again by UNCONFIRMED_AS', async ({ delivery }) => {
    const { site, stateOf } = delivery
    const { memberId, number } = await createSmsRecipient(site, { methods })
    const run = await delivery.publish(key)
    await phones.setFaults({ failEvery: 1 })
    await delivery.sendSms(run)
    await phones.setFaults({})
    site.clock.pass(3 * 3_600_000)

    await delivery.sweep()
    await delivery.sendSms(run)

    expect(await stateOf(run, memberId)).toMatch(/^unconfirmed 20500/)
    expect(await phones.textsTo(number)).toEqual([])
  })
})

describe('the desk', () => {
  it('shows what PDFs by text will cost, and what both kinds of texts have cost', async ({ delivery }) => {
    const { site, desk } = delivery
    await createSmsRecipient(site, { methods: both })
    await createSmsRecipient(site, { methods })
    await draftEdition(site.context, key, ['Ships'])
    const preview = (await desk.call('GET', `/editions/${key}/preview/pdf-sms`)).json().data
    expect(preview).toMatchObject({ subject: '', html: '' })
    expect(preview.text).toMatch(
      /^Tidings, Fri Nov 20, A \(PDF\): Ships\nhttp:\/\/localhost:3000\/l\/[\w-]{37}$/,
    )
    expect(preview.texts).toEqual({ texts: 2, segments: 2, amount: 0.02, currency: 'EUR' })
    const sample = await site.app.inject(linkIn(preview.text))
    expect([sample.statusCode, sample.body]).toEqual([200, expect.stringContaining('This is a test link')])

    await delivery.sendSms(await delivery.publishDraft(key))

    const report = (await desk.call('GET', `/editions/${key}/delivery-report`)).json().data
    expect(report.texts).toEqual({ texts: 3, segments: 3, amount: 0.03, currency: 'EUR' })
    expect(report.counts).toEqual([
      { method: 'memo-sms', state: 'sent', reason: null, count: 1 },
      { method: 'pdf-sms', state: 'sent', reason: null, count: 2 },
    ])
  })
})
