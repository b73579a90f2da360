import path from 'node:path'
import { Writable } from 'node:stream'
import { pino } from 'pino'
import { afterAll, afterEach, beforeEach, describe, expect, it } from 'vitest'
import { jpegPicture } from '#test/factories/pictures.ts'
import { pdfDocument, pdfMemo } from '#test/pdf/pdf-documents.ts'
import { readPdf } from '#test/pdf/read-pdf.ts'
import { pdfFormats } from './pdf-document.ts'
import type { PdfRenderer } from './pdf-renderer.ts'
import { createTypstPdfRenderer } from './typst-pdf-renderer.ts'

const opened: PdfRenderer[] = []
afterEach(async () => {
  await Promise.all(opened.splice(0).map((renderer) => renderer.close()))
})

type Options = Partial<Parameters<typeof createTypstPdfRenderer>[0]>

/** Creates a renderer and returns its log. `onStart` gets the process id of each compiler before its first document. */
function createRenderer(options: Options = {}, onStart: (pid: number, starts: number) => void = () => {}) {
  const messages: string[] = []
  let starts = 0
  const log = new Writable({
    write(chunk, _encoding, done) {
      const { msg, pid } = JSON.parse(String(chunk))
      messages.push(msg)
      if (msg === 'pdf compiler started') {
        starts += 1
        onStart(pid, starts)
      }
      done()
    },
  })
  const file = path.join(import.meta.dirname, 'pdf-compiler.ts')
  const renderer = createTypstPdfRenderer({ file, logger: pino({ level: 'debug' }, log), ...options })
  const read = async (...[document, pictures = new Map()]: Partial<Parameters<PdfRenderer['render']>>) =>
    await readPdf(await renderer.render(document ?? pdfDocument([memo]), pictures))
  return { renderer, messages, read }
}

/** Creates a renderer that is closed after the test. */
function openRenderer(...parameters: Parameters<typeof createRenderer>) {
  const opening = createRenderer(...parameters)
  opened.push(opening.renderer)
  return opening
}

const memo = pdfMemo('The harbor opens', '<p>From <strong>Monday</strong> on.</p>')
const picture = { file: 'pier.jpg', alt: 'The first ferry' }
const source = { url: 'https://www.example.com/harbor', host: 'example.com' }

describe('a PDF', () => {
  // Starting a compiler takes longer than most of these documents.
  const { renderer, messages, read } = createRenderer()
  beforeEach(() => {
    messages.length = 0
  })
  afterAll(() => renderer.close())

  it.each(pdfFormats)('is accessible, with links, pictures and bookmarks, as %s', async (format) => {
    const html = '<h2>Plan</h2><p>See the <a href="https://example.com/plan">plan</a>.</p>'
    const memos = [pdfMemo('One', html, { picture, source }), memo]
    const pdf = await read(pdfDocument(memos, format), new Map([['pier.jpg', await jpegPicture()]]))
    expect(pdf).toMatchObject({
      title: 'Friday, November 20, 10AM · Tidings',
      language: 'en',
      isAccessible: true,
      isTagged: true,
      alts: ['The first ferry'],
      links: ['https://example.com/plan', source.url, 'https://news.example.com/'],
      bookmarks: ['One', 'The harbor opens'],
      missingFonts: [],
    })
    const { width, height } = pdf.pages[0] ?? { width: 0, height: 0 }
    expect([Math.round(width), Math.round(height)]).toEqual(format === 'phone' ? [316, 653] : [595, 842])
    expect(messages).not.toContain('pdf compiler exited')
  })

  it.each([
    [5, false],
    [6, true],
  ])('of %i memos has a contents page: %s', async (count, hasContents) => {
    const { tags } = await read(pdfDocument(Array.from({ length: count }, () => memo)))
    expect(tags.includes('TOC')).toBe(hasContents)
  })

  it('shows a memo in the fonts of its language, its title also in the contents', async () => {
    const title = '新图书馆开馆'
    const chinese = pdfMemo(title, `<h2>${title}</h2><p>${title}</p>`, { lang: 'zh', caption: title })
    const { fonts } = await read(pdfDocument(Array.from({ length: 6 }, () => chinese)))
    expect(fonts).toContain('NotoSansHans-Regular')
    expect(fonts).not.toContain('BIZUDPMincho-Regular')
  })

  it('of a day has its slots above the memos', async () => {
    const day = { ...pdfDocument([]), isDigest: true, heading: 'EVENING DIGEST' }
    const editions = ['10AM', '8PM'].map((slot) => ({ slot, memos: [memo] }))
    const { bookmarks, tags, isAccessible } = await read({ ...day, editions })
    expect(isAccessible).toBe(true)
    expect(bookmarks).toEqual(expect.arrayContaining(['10AM', 'The harbor opens', '8PM']))
    expect(tags).toEqual(expect.arrayContaining(['H1', 'H2']))
  })

  it('names a picture that is gone', async () => {
    const gone = pdfMemo('One', '<p>Text</p>', { picture: { ...picture, file: null } })
    expect(await read(pdfDocument([gone]))).toMatchObject({ isAccessible: true, alts: [] })
  })

  it.each([
    ['of the page', 'ltr', 'The crossing takes eleven minutes.', 'Figtree-Regular'],
    ['of its own script', 'rtl', 'המעבורת יוצאת ביום שלישי.', 'NotoSerifHebrew-Regular'],
  ] as const)('notes a correction in a font %s', async (_name, dir, note, font) => {
    const correction = { start: 'Corrected at 3:12\u00a0PM:', note, dir }
    const memos = [pdfMemo('One', '<p>Text</p>', { correction, source, dir })]
    const { isAccessible, fonts } = await read(pdfDocument(memos))
    expect(isAccessible).toBe(true)
    expect(fonts).toContain(font)
  })

  it.each([
    ['Polish, Vietnamese and Turkish', 'pl', 'Zażółć gęślą jaźń, Việt Nam, İstanbul'],
    ['Greek', 'el', 'Ένα νέο πλοίο, ᾳ'],
    ['Russian and Ukrainian', 'uk', 'Новий паром, объём'],
    ['Arabic', 'ar', 'افتتاح المكتبة الجديدة ١٢٣، «نعم»'],
    ['Hebrew', 'he', 'ספינה חדשה בנמל, שָׁלוֹם'],
    ['Japanese', 'ja', '新しい図書館が開館「東京」、カタカナ'],
    ['Chinese', 'zh', '新图书馆开馆，繁體字'],
    ['Korean', 'ko', '새로운 도서관이 문을 엽니다'],
    ['emoji', 'en', '🎉 👩‍🚀 👩🏽‍🚒 🇩🇪 ☀️ 1️⃣ ❤️'],
    ['symbols', 'en', '→ ☎ ⚙ ✔ ∑ √ ≠ ½ € № ℃ ♫ ●'],
    ['characters of no font', 'bo', 'བོད་ཡིག ᚠᚢ \u{e000} \u{10ffff} x\u0315\u0951 \u{1f9ff}\u{20e3} \ufeff'],
    ['marks without width', 'en', 'a\u200bb\u00adc\u2060d\u200ee\u3000f\u2003g\u2028h\u0085i\ufffdj'],
  ])('shows %s', async (_name, lang, text) => {
    const memos = [pdfMemo(text, `<p>${text} <em>${text}</em> <b>${text}</b></p>`, { lang, caption: text })]
    expect((await read(pdfDocument(memos))).isAccessible).toBe(true)
    expect(messages).not.toContain('pdf compiler exited')
  })

  it.each([
    ['th', 'ท่าเรือเปิดวันจันทร์ ฿๑๒', 'NotoSerifThai'],
    ['hi', 'नया पुस्तकालय खुलेगा। ₹५००', 'NotoSerifDevanagari'],
    ['bn', 'নতুন গ্রন্থাগার খুলবে।', 'NotoSerifBengali'],
    ['ta', 'புதிய நூலகம் திறக்கப்படும்', 'NotoSerifTamil'],
    ['hy', 'Նոր գրադարանը բացվում է։', 'NotoSerifArmenian'],
    ['ka', 'ახალი ბიბლიოთეკა გაიხსნება', 'NotoSerifGeorgian'],
    ['am', 'አዲሱ ቤተ መጻሕፍት ይከፈታል።', 'NotoSansEthiopic'],
    ['km', 'បណ្ណាល័យថ្មីបើកនៅថ្ងៃច័ន្ទ។', 'NotoSerifKhmer'],
    ['gu', 'નવું પુસ્તકાલય ખુલશે', 'NotoSerifGujarati'],
    ['pa', 'ਨਵੀਂ ਲਾਇਬ੍ਰੇਰੀ ਖੁੱਲ੍ਹੇਗੀ', 'NotoSansGurmukhi'],
    ['or', 'ନୂଆ ପାଠାଗାର ଖୋଲିବ', 'NotoSansOriya'],
    ['te', 'కొత్త గ్రంథాలయం తెరుచుకుంటుంది', 'NotoSerifTelugu'],
    ['kn', 'ಹೊಸ ಗ್ರಂಥಾಲಯ ತೆರೆಯುತ್ತದೆ', 'NotoSansKannada'],
    ['ml', 'പുതിയ ലൈബ്രറി തുറക്കും', 'NotoSerifMalayalam'],
    ['si', 'නව පුස්තකාලය විවෘත වේ', 'NotoSansSinhala'],
    ['lo', 'ຫໍສະໝຸດໃໝ່ເປີດວັນຈັນ', 'NotoSansLao'],
    ['my', 'စာကြည့်တိုက်အသစ် ဖွင့်မည်', 'NotoSansMyanmar'],
  ])('has the letters of %s, regular and semibold, without a □', async (lang, text, font) => {
    const memos = [
      pdfMemo(text, `<p>${text} <b>${text}</b></p>`, {
        lang,
        caption: text,
        picture: { file: null, alt: text },
      }),
    ]
    const pdf = await read({ ...pdfDocument(memos), siteName: text })
    expect(pdf).toMatchObject({ isAccessible: true, bookmarks: [text] })
    expect(pdf.fonts).toEqual(expect.arrayContaining([`${font}-Regular`, `${font}-SemiBold`]))
  })

  it('shows markup of its own language as text', async () => {
    const text = '#panic("x") = Heading $x$ *b* @ref <label> `raw` \\ // comment'
    const memos = [pdfMemo(text, `<p>${text.replaceAll('<', '&lt;')}</p>`)]
    expect((await read(pdfDocument(memos))).bookmarks).toEqual([text])
  })

  it.each([
    ['lists as deep as they are kept', `${'<ul><li>x'.repeat(14)}${'</li></ul>'.repeat(14)}`],
    ['quotes as deep as they are kept', `${'<blockquote><p>x</p>'.repeat(30)}${'</blockquote>'.repeat(30)}`],
    ['emphasis as deep as it is kept', `<p>${'<b><i>x'.repeat(14)}${'</i></b>'.repeat(14)}</p>`],
    ['blocks in a link', '<a href="https://example.com/"><p>a</p><ul><li>b</li></ul></a>'],
    ['lists of nothing and of text', '<ul></ul><ol>a<li></li></ol><p></p><blockquote></blockquote>'],
    [
      'a table of twenty columns',
      `<table><tr>${'<td colspan="20" rowspan="20">wide</td>'.repeat(3)}</tr></table>`,
    ],
    [
      'an uneven table',
      '<table><caption>c</caption><thead><tr><th>a</th></tr></thead><tr><td>1</td><td>2</td></tr></table>',
    ],
    [
      'a table with lists and links',
      '<table><tr><td><ul><li>a</li></ul></td><td><a href="https://example.com/">b</a></td></tr></table>',
    ],
    ['a head alone', '<table><thead><tr><th>a</th></tr></thead></table>'],
    ['headings in lists and quotes', '<ul><li><h3>a</h3></li></ul><blockquote><h2>b</h2></blockquote>'],
    ['a word without end', `<h2>${'x'.repeat(500)}</h2><p>${'y'.repeat(5000)}</p>`],
    [
      'links everywhere',
      '<h2><a href="mailto:a@example.com">a</a></h2><p><a href="https://example.com/%20?q=ü">b</a></p>',
    ],
    [
      'rules, code and small marks',
      '<hr><p><code>a  b</code><sup>1</sup><sub>2</sub><u>u</u><s>s</s></p><hr>',
    ],
    [
      'right to left in left to right',
      '<p dir="rtl">שלום <bdo dir="ltr">abc</bdo> <span lang="en">x</span></p>',
    ],
  ])('keeps %s', async (_name, html) => {
    const memos = [pdfMemo('One', html, { note: pdfMemo('', html).body })]
    expect((await read(pdfDocument(memos))).isAccessible).toBe(true)
    expect(messages).not.toContain('pdf compiler exited')
  })

  it('of a memo of 10,000 words is complete', async () => {
    const html = `<p>${'A long sentence of many words that says little. '.repeat(30)}</p>`.repeat(38)
    const { pages, isAccessible } = await read(pdfDocument([pdfMemo('Long', html), memo]))
    expect(isAccessible).toBe(true)
    expect(pages.length).toBeGreaterThan(50)
  })
})

describe('a compiler', () => {
  it('makes documents one after another', async () => {
    const { read, messages } = openRenderer()
    const read3 = await Promise.all([1, 2, 3].map((each) => read(pdfDocument([pdfMemo(`No. ${each}`, '')]))))
    expect(read3.map(({ bookmarks }) => bookmarks)).toEqual([['No. 1'], ['No. 2'], ['No. 3']])
    expect(messages).toEqual(['pdf compiler started'])
  })

  it('is replaced after twenty documents by one that has started before', async () => {
    const { renderer, messages } = openRenderer()
    const starts: number[] = []
    for (let count = 1; count <= 41; count += 1) {
      await renderer.render(pdfDocument([memo]), new Map())
      starts.push(messages.filter((message) => message === 'pdf compiler started').length)
    }
    expect(starts.slice(10, 21)).toEqual([1, 1, 1, 2, 2, 2, 2, 2, 2, 2, 2])
    expect(starts.at(-1)).toBe(3)
    expect(messages).not.toContain('pdf compiler exited')
  })

  it('that is killed is replaced, and its document made all the same', async () => {
    const { read, messages } = openRenderer({}, (pid, starts) => starts === 1 && process.kill(pid, 'SIGKILL'))
    expect((await read()).isAccessible).toBe(true)
    expect(messages).toEqual(['pdf compiler started', 'pdf compiler exited', 'pdf compiler started'])
  })

  it.each([
    ['takes too long', { timeoutMs: 500 }],
    ['uses too much memory', { maxMegabytes: 10 }],
  ])('that %s is ended, and its document fails at once', async (_name, limits) => {
    const suspend = (pid: number) => 'timeoutMs' in limits && process.kill(pid, 'SIGSTOP')
    const { renderer, messages } = openRenderer(limits, suspend)
    await expect(renderer.render(pdfDocument([memo]), new Map())).rejects.toMatchObject({
      code: 'service-unavailable',
    })
    expect(messages).toEqual(['pdf compiler started', 'pdf compiler exited'])
  })

  it('does not start after the renderer is closed', async () => {
    const { renderer, messages } = openRenderer()
    await renderer.close()
    await expect(renderer.render(pdfDocument([memo]), new Map())).rejects.toMatchObject({
      code: 'service-unavailable',
    })
    expect(messages).toEqual([])
  })
})
