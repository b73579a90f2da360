import { describe, expect, it, test } from 'vitest'
import type { DeliveryLinks } from '#features/delivery/links/signed-links.ts'
import { joinFilled } from '#integrations/mail/bulk-mailer.ts'
import { cleanHtml } from '#platform/html/clean-html.ts'
import type { DeliverySite, EmailContent } from '../edition-content.ts'
import { fairShare, prepareDeliveryEmail, renderWebView, shortenHtml, shortenText } from './prepare-email.ts'
import { deliverySamples, sampleLinks, sampleSite } from './samples.ts'

function sample(name: string): EmailContent {
  const content = deliverySamples[name]
  if (content === undefined) throw new Error(`There is no sample named ${name}`)
  return content
}

function render(name: string, site: Partial<DeliverySite> = {}) {
  return renderFor(sample(name), sampleLinks, site)
}

function renderFor(content: EmailContent, links: DeliveryLinks, site: Partial<DeliverySite> = {}) {
  const fill = prepareDeliveryEmail(content, { ...sampleSite, ...site })
  const { html, text, ...email } = fill(links)
  return { ...email, html: joinFilled(html), text: joinFilled(text) }
}

/** Asserts that each tag is closed in order. */
function expectWellFormed(html: string): void {
  const open: string[] = []
  for (const [, slash, tag, end] of html
    .replaceAll(/<!--.*?-->|<!DOCTYPE[^>]*>/gs, '')
    .matchAll(/<(\/?)([a-z\d]+)[^>]*?(\/?)>/gi)) {
    if (slash === '/') expect(open.pop()).toBe(tag)
    else if (end === '') open.push(tag ?? '')
  }
  expect(open).toEqual([])
}

describe('the email of an edition', () => {
  it('shows the memos in order, with pictures, sources and escaped titles', () => {
    const { subject, html, text } = render('edition')
    expect(subject).toBe('10AM: The harbor opens its new ferry line, and 3 more')
    const titles = [
      'The harbor opens',
      'What changes with the new budget',
      'افتتاح',
      'Tags such as &lt;script&gt;',
    ]
    const places = titles.map((title) => html.lastIndexOf(title))
    expect(places).toEqual(places.toSorted((a, b) => a - b))
    expect(places).not.toContain(-1)
    expect(html).toContain('alt="The first ferry at the north pier"')
    expect(html).toContain('>city.example.org</a>')
    expect(html).not.toContain('<script')
    expect(html).toMatch(/<h2[^>]* dir="rtl"/)
    expect(html).toMatch(/lang="ar"/)
    expect(html).toMatch(/<div[^>]* style="[^"]*hyphens:auto[^"]*"[^>]*><p/)
    expect(html).not.toMatch(/<h[123][^>]*hyphens:auto/)
    expect(text).toContain('9,000 passengers a day (https://ferries.example.com/plan)')
    expect(text).toContain('- Libraries stay open on Sundays.\n- Bus fares')
    expect(text).toContain('Tags such as <script> & "quotes" are text')
    expectWellFormed(html)
  })

  it('notes a correction below its memo, in the time zone of the site and the direction of the memo', () => {
    const { html, text } = render('a corrected edition', { timeZone: 'Europe/Berlin' })
    expect(html).toMatch(
      /<p class="quiet" dir="ltr"[^>]*>Corrected at 12:12\u00a0AM: <span dir="ltr">The crossing takes eleven minutes\.<\/span><\/p>\n<p[^>]*><a href="https:\/\/www\.example\.com\/harbor"/,
    )
    expect(html).toMatch(
      /<p class="quiet" dir="rtl"[^>]*>Corrected at 12:12\u00a0AM: <span dir="rtl">المكتبة فيها ثلاث قاعات\.<\/span>/,
    )
    expect(text).toContain('\n\nCorrected at 12:12\u00a0AM: The crossing takes eleven minutes.\n\nSource: ')
    expect(text).toContain('Corrected at 12:12\u00a0AM: \u2067المكتبة فيها ثلاث قاعات.\u2069\n')
    expect(renderWebView(sample('a corrected edition'), sampleSite, sampleSite.url)).toContain(
      'Corrected at 3:12\u00a0PM: <span dir="ltr">The crossing takes eleven minutes.</span>',
    )
    expectWellFormed(html)
  })

  it.each([
    { mediaAlt: null, mediaTitle: '', alt: 'Pier', lines: [] },
    { mediaAlt: null, mediaTitle: 'Caption', alt: 'Caption', lines: ['[Picture: Caption]'] },
    { mediaAlt: 'A ferry', mediaTitle: '', alt: 'A ferry', lines: ['[Picture: A ferry]'] },
    {
      mediaAlt: 'A "ferry"',
      mediaTitle: 'Caption',
      alt: 'A &quot;ferry&quot;',
      lines: ['[Picture: A "ferry"]', 'Caption'],
    },
    { mediaAlt: '', mediaTitle: 'Caption', alt: '', lines: ['Caption'] },
    { mediaAlt: '', mediaTitle: '', alt: '', lines: [] },
  ])(
    'describes a picture by the alt text $mediaAlt and the caption $mediaTitle',
    ({ alt, lines, ...texts }) => {
      const [part] = sample('one memo').editions
      const memos = (part?.memos ?? []).map((memo) => ({ ...memo, title: 'Pier', mediaText: '', ...texts }))
      const content = { ...sample('one memo'), editions: [{ slot: '3PM', memos }] }

      const { html, text } = renderFor(content, sampleLinks)

      expect(html).toContain(` alt="${alt}" `)
      expect(text).toContain(['Pier', ...lines, 'From Monday'].join('\n\n'))
    },
  )

  it('links to the web view, the preferences and the unsubscribe page of the member', () => {
    const { html, text, headers } = render('edition')
    for (const link of Object.values(sampleLinks)) {
      expect(html).toContain(`href="${link}"`)
      expect(text).toContain(link)
    }
    expect(headers).toMatchObject({
      'List-Id': 'Tidings memo <memo.news.example.com>',
      'List-Unsubscribe': `<${sampleLinks.unsubscribe}>`,
      'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click',
    })
    expect(text).toContain('Tidings LLC, Los Angeles, California')
  })

  it('is in the language of the site', () => {
    const { html } = render('one memo', { language: 'de' })
    expect(html).toContain('>Freitag, 20. November</h1>')
    expect(html).toMatch(/<html[^>]* lang="de"/)
  })

  it('stays under 100 kB with memos of 10,000 words, each cut between words with a link to the rest', () => {
    const links = { ...sampleLinks, webView: `https://news.example.com/l/view/${'t'.repeat(200)}` }
    const { html } = renderFor(sample('long memos'), links)
    const bytes = Buffer.byteLength(html)
    expect(bytes).toBeGreaterThan(80_000)
    expect(bytes).toBeLessThan(100_000)
    expect(html.match(/href="[^"]*#memo-(\d)"[^>]*>Read on</g)).toHaveLength(2)
    expect(html).toContain('The harbor opens its new ferry line')
    expect(html).toContain('Bus fares don’t rise before 2028.')
    expectWellFormed(html)
  })

  it('leaves out the last of hundreds of memos and says so', () => {
    const { editions, ...content } = sample('one memo')
    const [edition] = editions
    const memos = Array.from({ length: 120 }, () => edition?.memos ?? []).flat()
    const { html, text } = renderFor({ ...content, editions: [{ slot: '3PM', memos }] }, sampleLinks)
    expect(Buffer.byteLength(html)).toBeLessThan(100_000)
    expect(html).toMatch(/\d+ more memos: read on/)
    expect(text).toMatch(/\d+ more in the browser/)
  })

  it('keeps line breaks of a name out of its headers', () => {
    const { subject, headers } = render('edition', { name: 'Tidings\r\nBcc: eve@example.com' })
    expect(`${subject}${Object.values(headers).join('')}`).not.toMatch(/[\r\n]/)
  })
})

test.each([
  ['with a PDF', 'For printing, ', 'open it in A4'],
  ['with a PDF in A4', 'To read it on a phone, ', 'open it with pages that fit the screen'],
])('the email %s links to the other pages', (name, purpose, label) => {
  const { html, text } = render(name)
  const url = sample(name).pdf?.otherUrl ?? ''
  expect(text).toContain(`This edition is attached as a PDF. ${purpose}${label}:\n${url}`)
  expect(html).toMatch(new RegExp(`attached as a PDF\\. ${purpose}<a href="${url}"[^>]*>${label}</a>\\.`))
})

test.each([
  ['memos with a PDF', true],
  ['memos without their PDF', false],
])('the email of %s is about both, and promises only what it has', (name, hasPdf) => {
  const { subject, html, text, headers } = render(name)
  expect(subject).toBe('10AM: The harbor opens its new ferry line, and 1 more')
  for (const body of [html, text]) {
    expect(body.includes('This edition is attached as a PDF.')).toBe(hasPdf)
    expect(body).toContain('because you chose memos and PDFs by email')
    expect(body).toMatch(/unsubscribe from memos and PDFs by email/i)
  }
  expect(headers['List-Id']).toBe('Tidings memo <memo.news.example.com>')
})

test('the digest shows the editions of the day under their slots', () => {
  const { subject, html, text } = render('digest')
  expect(subject).toBe('Evening digest, Friday, November 20')
  expect(html).toMatch(/<h2[^>]*>10AM<\/h2>.*The harbor opens.*<h2[^>]*>8PM<\/h2>.*What changes/s)
  expect(text).toContain('That is today. Good night.')
  expect(html).toContain('unsubscribe from the evening digest')
})

test('the web view shows every memo whole', () => {
  const html = renderWebView(sample('long memos'), sampleSite, new URL('https://news.example/#/account'))
  expect(html).not.toContain('Read on')
  expect(html).not.toMatch(/unsubscribe|\/preferences/i)
  expect(html).toContain('href="https://news.example/#/account"')
  expect(html.match(/A long sentence/g)).toHaveLength(2 * 25 * 70)
  expect(html).toContain('<meta name="robots" content="noindex"/>')
})

const html =
  '<h2>In short</h2><ul><li>One <a href="https://example.com/a" rel="noopener noreferrer" target="_blank">link &amp; more</a>.</li><li>Two</li></ul><p>Grüße<br>aus dem Süden</p><table><tbody><tr><td>1</td><td>2</td></tr></tbody></table>'

describe('shortenHtml', () => {
  it('keeps every element closed and every entity whole, wherever it cuts', () => {
    for (let maxBytes = 0; maxBytes < Buffer.byteLength(html); maxBytes++) {
      const short = shortenHtml(html, maxBytes)
      expect(cleanHtml(short)).toBe(short)
      expect(Buffer.byteLength(short)).toBeLessThanOrEqual(maxBytes + 3)
    }
  })

  it('returns what fits as it is', () => {
    expect(shortenHtml(html, Buffer.byteLength(html))).toBe(html)
  })
})

describe('shortenText', () => {
  test.each([
    ['between words', 'one two three', 9, 'one two…'],
    ['inside a word that is too long', 'Donaudampfschifffahrt', 5, 'Donau…'],
    ['before an address', 'See https://example.com/a/b', 24, 'See…'],
    ['between letters of more than one byte', 'ééé', 3, 'é…'],
    ['before an entity', 'a &amp; b', 4, 'a…'],
  ])('cuts %s', (_name, text, maxBytes, expected) => {
    expect(shortenText(text, maxBytes)).toBe(expected)
  })
})

test('fairShare cuts the largest parts only', () => {
  expect(fairShare([10, 500, 20, 300], 330)).toBe(150)
  expect(fairShare([10, 20], 30)).toBe(Number.POSITIVE_INFINITY)
})
