import { formatCorrectionTime } from '@tidings/contracts/site/correction-line'
import { describe, expect } from 'vitest'
import { createRecipient } from '#test/factories/recipients.ts'
import { readPdf } from '#test/pdf/read-pdf.ts'
import { deliveryTest } from '#test/sites/delivery-site.ts'
import { writerOf } from '#test/writing/memo-writer.ts'
import { seen, unsavedTextOf } from '#test/writing/unsaved-text.ts'

const it = deliveryTest()
const key = '11-20-26-A'
const { sendTest, preview } = unsavedTextOf(key)

describe('a correction that is being written', () => {
  it('is tested with its note, which members still to be sent then get', async ({ delivery }) => {
    const { desk, script, site } = delivery
    await createRecipient(site)
    await createRecipient(site, { customFields: { getPDFMethodByEmail: true } })
    const run = await delivery.publish(key, ['Ships'])
    const [memo] = (await desk.read(key)).memos
    const id = String(memo?.id)
    const writer = writerOf(desk, id)
    const { version, ...text } = (await writer.save(1, { title: 'Boats' })).json().data
    const note = 'They are boats.'
    const unsaved = [{ id, title: text.title, memo_content: text.memo_content, note }]
    const shown = await preview(delivery, 'email', { memos: unsaved })
    const paper = await preview(delivery, 'pdf', { memos: unsaved })
    const phone = await preview(delivery, 'phone', { memos: unsaved })
    await sendTest(delivery, { method: 'memo-email', memos: unsaved })
    await sendTest(delivery, { method: 'memo-email' })
    expect((await writer.publish(version, { note })).statusCode).toBe(200)
    const at = site.clock.now()
    await delivery.send(run)

    const time = formatCorrectionTime(at, site.context.config.site.timeZone)
    const [test, stored, ...sent] = script.sent
    const memos = sent.find(({ attachment }) => attachment === undefined)
    const pdf = sent.find(({ attachment }) => attachment !== undefined)
    expect(stored?.text).not.toContain('Corrected at')
    expect(memos?.text).toContain(`\n\nCorrected at ${time}: They are boats.\n`)
    expect(pdf?.text).toContain(`\n\nCorrected at ${time}: They are boats.\n`)
    expect([shown, test].map(seen)).toEqual([seen(memos), seen(memos)])
    expect(await readPdf(paper.bytes)).toEqual(await readPdf(pdf?.attachment?.bytes ?? Buffer.alloc(0)))
    const read = await site.app.inject({ url: `/edition/prod/${key}`, headers: { cookie: site.pass } })
    expect(phone.memos[0].correction).toEqual({ note, at: at.toISOString() })
    expect(read.json()[0].correction).toEqual(phone.memos[0].correction)
    const [, view = ''] = /(\/l\/view\/\S+)/.exec(memos?.text ?? '') ?? []
    expect((await site.app.inject(view)).body).toContain(`Corrected at ${time}: <span dir="ltr">${note}`)
  })

  it('without a note of its own keeps the one that readers have', async ({ delivery }) => {
    const { desk, site } = delivery
    await delivery.publish(key, ['Ships'])
    const [memo] = (await desk.read(key)).memos
    const id = String(memo?.id)
    const writer = writerOf(desk, id)
    const saved = (await writer.save(1, { title: 'Boats' })).json().data
    await writer.publish(saved.version, { note: 'They are boats.' })
    const at = site.clock.now().toISOString()
    site.clock.pass(3_600_000)
    const unsaved = [
      { id, title: 'Yachts' },
      { title: 'New', note: 'Readers have no other text.' },
    ]
    const line = /^Corrected at \d+:\d\d\s[AP]M: They are boats\.$/gm
    const digest = { date: '11-20-26', unsaved: { edition: key, memos: unsaved } }
    expect((await preview(delivery, 'digest', digest)).text.match(line)).toHaveLength(1)
    expect((await preview(delivery, 'sms', { memos: unsaved })).text).not.toContain('Corrected')
    const { memos: shown } = await preview(delivery, 'phone', { memos: unsaved })
    expect(shown.map(({ correction }: { correction?: object }) => correction)).toEqual([
      { note: 'They are boats.', at },
      undefined,
    ])
  })
})
