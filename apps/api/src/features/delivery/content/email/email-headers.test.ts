import fc from 'fast-check'
import PostalMime from 'postal-mime'
import { describe, expect, it, test } from 'vitest'
import { defaultSubjectFormat, parseSubjectFormat } from '#config/subject-format.ts'
import type { EmailContent } from '../edition-content.ts'
import { listIdOf, maxSubjectCharacters, subjectOf } from './email-headers.ts'
import { sampleSite } from './samples.ts'

const date = { year: 2026, month: 11, day: 20 }
type Given = {
  kind?: EmailContent['kind']
  written?: string
  slot?: string
  format?: string
  language?: string
  name?: string
}

function subject(titles: readonly string[], given: Given = {}): string {
  const {
    kind = 'memo',
    written = '',
    slot = '10AM',
    format = defaultSubjectFormat,
    language = 'en',
    name = 'Tidings',
  } = given
  const editions = [{ slot, subject: written, memos: titles.map((title) => ({ title })) }]
  return subjectOf({ kind, date, editions }, { name, language, subjectFormat: parseSubjectFormat(format) })
}

const six = (title: string) => [title, ...Array.from({ length: 5 }, () => 'Another')]

test.each<[string, readonly string[], Given, string]>([
  ['six memos', six('Ships return'), {}, '10AM: Ships return, and 5 more'],
  ['two memos', ['Ships return', 'Trains'], {}, '10AM: Ships return, and 1 more'],
  ['one memo', ['Ships return'], {}, '10AM: Ships return'],
  ['a subject that an editor wrote', ['Ships return'], { written: 'A quiet\nSunday' }, 'A quiet Sunday'],
  [
    'a written subject of a PDF that is long',
    ['Ships return'],
    { kind: 'pdf', written: 'A quiet Sunday '.repeat(8) },
    'A quiet Sunday A quiet Sunday A quiet Sunday A quiet Sunday A quiet… (PDF)',
  ],
  [
    'a digest, whatever was written',
    ['A'],
    { kind: 'digest', written: 'A quiet Sunday' },
    subject(['A'], { kind: 'digest' }),
  ],
  ['a PDF', six('Ships return'), { kind: 'pdf' }, '10AM: Ships return, and 5 more (PDF)'],
  ['a PDF of one memo', ['Ships return'], { kind: 'pdf' }, '10AM: Ships return (PDF)'],
  [
    'a long title',
    six('What changes with the new budget, and a title that is long enough for a second line'),
    {},
    '10AM: What changes with the new budget, and a title that is long…, and 5 more',
  ],
  [
    'a long title of a PDF',
    six('What changes with the new budget, and a title that is long enough for a second line'),
    { kind: 'pdf' },
    '10AM: What changes with the new budget, and a title that is…, and 5 more (PDF)',
  ],
  [
    'a cut behind a comma',
    [`${'x'.repeat(60)}, yes and even more words`],
    {},
    `10AM: ${'x'.repeat(60)}, yes and…`,
  ],
  ['a title of one long word', ['x'.repeat(300)], {}, `10AM: ${'x'.repeat(71)}…`],
  ['Chinese', ['新'.repeat(100)], {}, `10AM: ${'新'.repeat(71)}…`],
  ['families', ['👨‍👩‍👧‍👦'.repeat(20)], {}, `10AM: ${'👨‍👩‍👧‍👦'.repeat(6)}…`],
  [
    'an address',
    [`https://example.com/${'x'.repeat(100)}`],
    {},
    `10AM: https://example.com/${'x'.repeat(51)}…`,
  ],
  ['an address after words', [`Read https://example.com/${'x'.repeat(100)}`], {}, '10AM: Read…'],
  ['line breaks', ['Ships\r\nBcc: eve@example.com'], {}, '10AM: Ships Bcc: eve@example.com'],
  ['an open direction', ['\u202eShips'], {}, '10AM: Ships'],
  ['a cut direction', [`\u2067${'سفن '.repeat(40)}\u2069`], {}, `10AM: ${'سفن '.repeat(16)}سفن…`],
  ['an empty first title', ['\u200b', 'Trains'], {}, '10AM: Trains, and 1 more'],
  ['no title at all', ['\u200b'], {}, 'Friday, November 20, 10AM'],
  ['no memos', [], {}, 'Friday, November 20, 10AM'],
  ['brackets in a title', ['[Live] {slot} {more}'], {}, '10AM: [Live] {slot} {more}'],
  ['another format', six('Ships'), { format: '{site} – {title}[ (+{more})]' }, 'Tidings – Ships (+5)'],
  ['a format without a title', six('Ships'), { format: '{day}, {slot}' }, 'Friday, November 20, 10AM'],
  ['Arabic numbers', six('سفن'), { language: 'ar-EG', format: '{title}[ +{more}]' }, 'سفن +٥'],
])('the subject with %s', (_name, titles, given, expected) => {
  expect(subject(titles, given)).toBe(expected)
})

test('the samples have the default format', () => {
  expect(sampleSite.subjectFormat).toEqual(parseSubjectFormat(defaultSubjectFormat))
})

test('the digest has its own subject', () => {
  expect(subject(six('Ships'), { kind: 'digest' })).toBe('Evening digest, Friday, November 20')
})

describe('every subject', () => {
  const formats = [
    defaultSubjectFormat,
    '{site} {day} {slot} {title}[ {more}]',
    '{title}',
    '[{more} and ]{title}',
  ]
  const anything = fc.record({
    titles: fc.array(fc.string({ unit: 'grapheme', maxLength: 300 }), { maxLength: 300, size: 'max' }),
    kind: fc.constantFrom('memo', 'pdf', 'digest'),
    slot: fc.stringMatching(/^[0-9A-Za-z]{1,12}$/),
    format: fc.constantFrom(...formats),
    name: fc.string({ unit: 'binary', maxLength: 200 }),
    language: fc.constantFrom('en', 'de', 'ar', 'ta', 'zh'),
  })

  it('has at most 78 characters, on one line, and a PDF is named', () => {
    fc.assert(
      fc.property(anything, ({ titles, ...given }) => {
        const text = subject(titles, given)
        expect(text.length).toBeLessThanOrEqual(maxSubjectCharacters)
        expect(text).not.toMatch(/\p{Cc}|^\s|\s$/u)
        if (given.kind === 'pdf') expect(text.endsWith(' (PDF)')).toBe(true)
      }),
      { seed: 61 },
    )
  })

  it('is cut between letters as people see them', () => {
    const segmenter = new Intl.Segmenter(undefined, { granularity: 'grapheme' })
    const lettersOf = (text: string) => [...segmenter.segment(text)].map(({ segment }) => segment)
    fc.assert(
      fc.property(
        fc.string({ unit: fc.constantFrom('👩🏽‍🚀', '🇩🇪', 'é', 'नि', '한', 'x', ' ') }),
        (title) => {
          const [start = ''] = subject([`${title}${'x'.repeat(80)}`], { format: '{title}' }).split('…')
          const letters = lettersOf(`${title}${'x'.repeat(80)}`.replaceAll(/\s+/g, ' ').trim())
          expect(lettersOf(start)).toEqual(letters.slice(0, lettersOf(start).length))
        },
      ),
      { seed: 61 },
    )
  })
})

const url = new URL('https://news.example.com')

/** Reads a header as a mail program does. */
async function decoded(value: string): Promise<string> {
  return (await PostalMime.parse(`Subject: ${value}\r\n\r\n`)).subject ?? ''
}

describe('listIdOf', () => {
  it.each(['Tidings', 'Tidings Daily', 'my-news_2'])('keeps the name %j as it is', (name) => {
    expect(listIdOf({ name, url }, 'memo')).toBe(`${name} memo <memo.news.example.com>`)
  })

  it.each([
    'Zürcher Bote',
    'Новости дня',
    'أخبار اليوم',
    '日々の便り',
    'News 🗞️🙂',
    'Smith, Jones & Co.',
    'The "Daily" <News>',
    'Back\\slash (comment)',
    '=?UTF-8?Q?trick?=',
    'é'.repeat(150),
    '🙂'.repeat(60),
    'x'.repeat(300),
  ])('encodes the name %j', async (name) => {
    const listId = listIdOf({ name, url }, 'memo')
    expect(listId).toMatch(/^(?:=\?UTF-8\?B\?[\w+/]+=*\?= )+<memo\.news\.example\.com>$/)
    expect(Math.max(...listId.split(' ').map((word) => word.length))).toBeLessThanOrEqual(66)
    expect(await decoded(listId)).toBe(`${name} memo <memo.news.example.com>`)
  })

  it('keeps a name from ending the header', () => {
    expect(listIdOf({ name: 'News\r\nBcc: eve@example.com', url }, 'memo')).not.toMatch(/[\r\n]/)
  })

  it.each([
    ['https://bücher.example', 'memo.xn--bcher-kva.example'],
    ['http://127.0.0.1:3000', 'memo.127.0.0.1'],
    ['http://[::1]:3000', 'memo.localhost'],
    ['https://news.example.com.', 'memo.news.example.com'],
    ['http://localhost:3000', 'memo.localhost'],
  ])('at %s has the id %s', (site, id) => {
    expect(listIdOf({ name: 'Tidings', url: new URL(site) }, 'memo')).toBe(`Tidings memo <${id}>`)
  })
})
