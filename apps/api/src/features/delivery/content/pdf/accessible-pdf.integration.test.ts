import { describe, expect } from 'vitest'
import { draftEdition } from '#test/factories/editions.ts'
import { jpegPicture } from '#test/factories/pictures.ts'
import { findAccessibilityProblems } from '#test/pdf/accessibility-problems.ts'
import { readPdf } from '#test/pdf/read-pdf.ts'
import { deliveryTest } from '#test/sites/delivery-site.ts'

const it = deliveryTest()
const titles = ['Ships return 🎉', 'افتتاح المكتبة', '新しい図書館', 'Ένα νέο πλοίο', 'Новий паром', 'Trains']
const content =
  '<h2>Plan</h2><p>See the <a href="https://example.com/plan">plan</a>.</p><ul><li>One</li></ul><table><tr><th>a</th></tr><tr><td>b</td></tr></table>'

describe('the alt texts of a PDF', () => {
  it('are those of editors, and decorative pictures have none', async ({ delivery }) => {
    const { site, db, desk } = delivery
    const { memos } = await draftEdition(site.context, '11-21-26-A', ['Said', 'Decorative', 'Captioned'])
    const { file: mediaFile } = await site.context.media.prepare(await jpegPicture(), 'editorial')
    const columns = [{ mediaAlt: 'A ferry at the pier' }, { mediaAlt: '' }, { mediaTitle: 'Its caption' }]
    for (const [index, memo] of memos.entries()) {
      await db.memo.update({ where: { id: memo.id }, data: { mediaFile, ...columns[index] } })
    }
    await delivery.publishDraft('11-21-26-A')

    const { rawPayload: pdf } = await desk.call('GET', '/editions/11-21-26-A/pdf')

    expect(await findAccessibilityProblems(pdf)).toEqual([])
    expect((await readPdf(pdf)).alts.toSorted()).toEqual(['A ferry at the pier', 'Its caption'])
  })
})

describe('the PDF of an edition and of a digest', () => {
  it('keeps the rules of PDF/UA, with pages as large as a phone or A4', async ({ delivery }) => {
    const { site, db, desk } = delivery
    const { media } = site.context
    const { memos } = await draftEdition(site.context, '11-20-26-A', titles)
    const picture = await media.prepare(await jpegPicture(), 'editorial')
    const [first] = memos
    const source = 'https://example.com/source'
    await db.memo.update({
      where: { id: first?.id ?? '' },
      data: { content, source, mediaFile: picture.file },
    })
    await delivery.publishDraft('11-20-26-A')

    for (const path of ['/editions/11-20-26-A/pdf', '/digests/11-20-26/pdf']) {
      for (const [format, size] of [
        ['phone', '316 × 653'],
        ['a4', '595 × 842'],
      ]) {
        const { rawPayload: pdf } = await desk.call('GET', `${path}?format=${format}`)
        expect(await findAccessibilityProblems(pdf)).toEqual([])
        const { pages, alts, links, bookmarks } = await readPdf(pdf)
        const sizes = pages.map(({ width, height }) => `${Math.round(width)} × ${Math.round(height)}`)
        expect(new Set(sizes)).toEqual(new Set([size]))
        expect(alts).toEqual([titles[0]])
        expect(links).toEqual(expect.arrayContaining(['https://example.com/plan', source]))
        expect(bookmarks).toEqual(expect.arrayContaining([titles[0], 'Trains']))
      }
    }
  })
})
