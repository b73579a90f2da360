import { describe, expect } from 'vitest'
import { createRecipient } from '#test/factories/recipients.ts'
import { readPdf } from '#test/pdf/read-pdf.ts'
import { deliveryTest } from '#test/sites/delivery-site.ts'

const it = deliveryTest()
const pdfs = { customFields: { getPDFMethodByEmail: true } }

describe('an edition as PDF by email', () => {
  it('reaches the members who chose it, with one attachment for all and its text', async ({ delivery }) => {
    const { site, script, send } = delivery
    const members = await Promise.all([1, 2, 3].map(() => createRecipient(site, pdfs)))
    await createRecipient(site)
    await createRecipient(site, { customFields: { getPDFMethodByEmail: true, combinestatus: true } })
    const run = await delivery.publish('11-20-26-A', ['Ships'])
    await send(run)

    const withPdf = script.sent.filter(({ attachment }) => attachment !== undefined)
    expect(new Set(withPdf.map(({ to }) => to))).toEqual(new Set(members.map(({ email }) => email)))
    expect(script.sent).toHaveLength(4)
    expect(new Set(withPdf.map(({ attachment }) => attachment?.bytes)).size).toBe(1)
    const [email] = withPdf
    expect(email?.attachment).toMatchObject({ name: '11-20-26-A.pdf', type: 'application/pdf' })
    expect((await readPdf(email?.attachment?.bytes ?? Buffer.alloc(0))).bookmarks).toEqual(['Ships'])
    expect(email?.text).toContain('News.')
    expect(email?.text).toContain('you chose PDFs by email')
    expect(email?.headers['List-Id']).toContain('<pdf.')
  })

  it('links to A4 pages, and unsubscribes from PDFs only', async ({ delivery }) => {
    const { site, script, send, db } = delivery
    const texts = { getPDFMethodByEmail: true, getPDFMethodBySMS: true }
    const { memberId } = await createRecipient(site, { customFields: texts })
    await send(await delivery.publish('11-20-26-B', ['Trains']))
    const [email] = script.sent
    const pathOf = (pattern: RegExp) => new URL(pattern.exec(email?.text ?? '')?.[0] ?? '').pathname
    const a4 = await site.app.inject(pathOf(/\S+\/l\/pdf\/\S+/))
    expect(Math.round((await readPdf(a4.rawPayload)).pages[0]?.width ?? 0)).toBe(595)
    const view = await site.app.inject(pathOf(/\S+\/l\/view\/\S+/))
    expect(view.body).toContain('you chose PDFs by email')
    expect(view.body).not.toContain('is attached')

    await site.app.inject({ method: 'POST', url: pathOf(/\S+\/l\/unsubscribe\/\S+/) })
    const member = await db.member.findUniqueOrThrow({ where: { id: memberId } })
    expect(member.customFields).toMatchObject({ getPDFMethodByEmail: false, getPDFMethodBySMS: true })
  })

  it('has the corrections that came while it was sent', async ({ delivery }) => {
    const { site, desk, script, send } = delivery
    for (let member = 0; member < 3; member += 1) await createRecipient(site, pdfs)
    const run = await delivery.publish('11-20-26-C', ['Wrong'])
    let correction: Promise<unknown> | undefined
    script.answer = async () => {
      correction ??= correct()
      await correction
      return { outcome: 'accepted' }
    }
    async function correct(): Promise<void> {
      const [memo] = (await desk.read('11-20-26-C')).memos
      const change = { body: { title: 'Right' }, ifMatch: `"${memo?.version}"` }
      expect((await desk.call('PATCH', `/memos/${memo?.id}`, change)).statusCode).toBe(200)
    }
    await send(run)
    const pdfsSent = script.sent.map(({ attachment }) => attachment?.bytes ?? Buffer.alloc(0))
    const bookmarks = await Promise.all(pdfsSent.map(async (pdf) => (await readPdf(pdf)).bookmarks[0]))
    expect(bookmarks).toHaveLength(3)
    expect(bookmarks.at(-1)).toBe('Right')
  })
})
