import { afterAll, describe, expect } from 'vitest'
import { createRecipient, createSmsRecipient } from '#test/factories/recipients.ts'
import { readPdf } from '#test/pdf/read-pdf.ts'
import { deliveryTest } from '#test/sites/delivery-site.ts'
import { startPhones } from '#test/sms/phones.ts'
import type { TestApp } from '#test/test-app.ts'

const phones = await startPhones()
afterAll(() => phones.stop())

const it = deliveryTest({ env: phones.env })
const key = '11-20-26-A'
const byEmail = { getPDFMethodByEmail: true }
const bySms = { getPDFMethodBySMS: true }
// In points, rounded.
const phone = 316
const a4 = 595

async function widthOf(pdf: Uint8Array = Buffer.alloc(0)): Promise<number> {
  return Math.round((await readPdf(pdf)).pages[0]?.width ?? 0)
}

/** Returns the PDF behind a link. */
async function linkedPdf(site: TestApp, text: string, pattern: RegExp): Promise<Uint8Array> {
  const { pathname } = new URL(pattern.exec(text)?.[0] ?? '')
  return (await site.app.inject(pathname)).rawPayload
}

describe('an edition as PDF by email', () => {
  it('has the pages that its member chose and links to the others, made once for all', async ({
    delivery,
  }) => {
    const { site, script, db } = delivery
    const formats = ['phone', 'a4', 'a4', 'phone', 'a4'] as const
    const recipients = []
    for (const pdfFormat of formats)
      recipients.push(await createRecipient(site, { customFields: byEmail, pdfFormat }))
    const run = await delivery.publish(key, ['Ships'])

    await delivery.send(run)

    const emails = recipients.map(({ email }) => script.sent.find(({ to }) => to === email))
    const widths = await Promise.all(emails.map((email) => widthOf(email?.attachment?.bytes)))
    expect(widths).toEqual([phone, a4, a4, phone, a4])
    expect(new Set(emails.map((email) => email?.attachment?.bytes)).size).toBe(2)
    const [toPhone = '', toPaper = ''] = emails.map((email) => email?.text)
    expect(toPhone).toContain('attached as a PDF. For printing, open it in A4:')
    expect(toPaper).toContain(
      'attached as a PDF. To read it on a phone, open it with pages that fit the screen:',
    )
    const link = /\S+\/l\/pdf\/\S+/
    const [forPhone, forPaper] = emails.map((email) => email?.attachment?.bytes)
    expect(forPaper).toEqual(await linkedPdf(site, toPhone, link))
    expect(forPhone).toEqual(await linkedPdf(site, toPaper, link))
    const attempts = await db.delivery.findMany({
      where: { runId: run?.id ?? 0 },
      select: { attempts: true },
    })
    expect(new Set(attempts.map((row) => row.attempts))).toEqual(new Set([1]))
  })

  it('has the pages that are chosen when it is handed over', async ({ delivery }) => {
    const { site, script, db } = delivery
    const { memberId } = await createRecipient(site, { customFields: byEmail })
    const run = await delivery.publish(key)
    await db.member.update({ where: { id: memberId }, data: { pdfFormat: 'a4' } })
    await delivery.send(run)
    expect(await widthOf(script.sent[0]?.attachment?.bytes)).toBe(a4)
  })
})

describe('an edition as PDF by text', () => {
  it('has a link to the pages that its member chose, and to no others', async ({ delivery }) => {
    const { site, db } = delivery
    const reader = await createSmsRecipient(site, { methods: bySms })
    const printer = await createSmsRecipient(site, { methods: bySms, pdfFormat: 'a4' })
    await delivery.sendSms(await delivery.publish(key, ['Trains']))
    const [toPhone = ''] = await phones.textsTo(reader.number)
    const [toPaper = ''] = await phones.textsTo(printer.number)
    await db.member.update({ where: { id: printer.memberId }, data: { pdfFormat: 'phone' } })

    expect(toPaper.split('\n')[0]).toBe(toPhone.split('\n')[0])
    expect(await widthOf(await linkedPdf(site, toPhone, /http\S+/))).toBe(phone)
    expect(await widthOf(await linkedPdf(site, toPaper, /http\S+/))).toBe(a4)
    const { pathname } = new URL(/http\S+/.exec(toPaper)?.[0] ?? '')
    // A letter of the signature, which covers what the link opens.
    const changed = pathname.replace(/.(?=.{5}$)/, (letter) => (letter === 'a' ? 'b' : 'a'))
    expect((await site.app.inject(changed)).statusCode).toBe(404)
  })
})
