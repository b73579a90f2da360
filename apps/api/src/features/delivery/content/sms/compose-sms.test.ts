import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { howToStop } from '#features/delivery/content/sms/program-words.ts'
import { composeSms } from './compose-sms.ts'
import { countSegments, isGsm } from './gsm.ts'

const link = `https://news.example.com/l/${'a'.repeat(37)}`
const site = { name: 'Tidings', language: 'en' }

function textOf(
  titles: string[],
  {
    maxSegments = 2,
    isPdf = false,
    name = site.name,
    language = site.language,
    ...ending
  }: { maxSegments?: number; isPdf?: boolean; name?: string; language?: string; ending?: string } = {},
): string {
  const editions = [{ edition: { slot: '10AM' }, memos: titles.map((title) => ({ title })) }]
  const content = { date: { year: 2026, month: 11, day: 20 }, editions }
  return composeSms(content, { site: { name, language }, link, maxSegments, isPdf, ...ending })
}

describe('composeText', () => {
  test('names the edition and its titles in GSM characters, and ends with the link', () => {
    expect(textOf(['Ships “return” to Bogotá', 'Rain — at last ☔'])).toBe(
      `Tidings, Fri Nov 20, 10AM: Ships "return" to Bogota; Rain - at last\n${link}`,
    )
  })

  test('says that its link opens a PDF', () => {
    expect(textOf(['🌊 שלום'], { isPdf: true })).toBe(`Tidings, Fri Nov 20, 10AM (PDF): 🌊 שלום\n${link}`)
  })

  test('three titles of usual length fit into two segments, also with how to stop', () => {
    const titles = [
      'The last lighthouse keeper of the north retires',
      'Why the river turned green after the storm',
      'A museum opens its doors to everyone at night',
    ]
    for (const ending of [{}, { ending: howToStop }]) {
      const text = textOf(titles, ending)
      expect(text).toContain(titles.join('; '))
      expect(countSegments(text)).toBe(2)
    }
    expect(textOf(titles, { ending: howToStop })).toMatch(/\nReply STOP to end texts\.$/)
  })

  test('as many titles as fit are named, and the others counted', () => {
    const text = textOf(['a'.repeat(90), 'b'.repeat(90), 'c'.repeat(90)])
    expect(text).toBe(`Tidings, Fri Nov 20, 10AM: ${'a'.repeat(90)}; ${'b'.repeat(90)}; +1\n${link}`)
    expect(countSegments(text)).toBe(2)
  })

  test.each([
    ['at a word', `${'many words '.repeat(40)}end`, /: (?:many words )+many(?: words)?\.\.\.\n/],
    ['in another script', 'Сегодня '.repeat(30), /: (?:Сегодня )+Сегодня…\n/],
    ['between letters of several characters', '🇫🇷'.repeat(40), /: (?:🇫🇷)+…\n/u],
    ['in a script without spaces', '東京の灯台守が引退する'.repeat(20), /: [^\n]*\p{L}…\n/u],
  ])('a title that does not fit is cut %s', (_where, title, expected) => {
    const text = textOf([title])
    expect(text).toMatch(expected)
    expect(text.endsWith(link)).toBe(true)
    expect(countSegments(text)).toBe(2)
  })

  test.each([
    ['one Cyrillic title among Latin ones that all fit', ['Bogotá', 'Москва'], '10AM: Bogotá; Москва\n'],
    ['Arabic', ['القاهرة اليوم'], '10AM: القاهرة اليوم\n'],
    ['Hindi', ['नई दिल्ली'], '10AM: नई दिल्ली\n'],
    ['Greek', ['Η Αθήνα σήμερα'], '10AM: Η Αθήνα σήμερα\n'],
    ['emoji alone', ['🌊🌊🌊'], '10AM: 🌊🌊🌊\n'],
    ['emoji alone beside words', ['Ships', '🌊🌊🌊'], '10AM: Ships; 🌊🌊🌊\n'],
    ['emoji in words', ['Ships 🚢 return 🌊'], '10AM: Ships return\n'],
    [
      'long Latin titles beside a Cyrillic one',
      ['The last lighthouse keeper retires', 'Москва', 'The river turned green after the storm'],
      '10AM: The last lighthouse keeper retires; The river turned green after the storm; +1\n',
    ],
  ])('the encoding keeps the words of titles: %s', (_what, titles, line) => {
    const text = textOf(titles)
    expect(text).toContain(line)
    expect(countSegments(text)).toBeLessThanOrEqual(2)
  })

  test.each([
    ['is written with base letters', 'Noticias de Bogotá', 2, 'Noticias de Bogota, Fri Nov 20'],
    ['in another script is kept', 'Вести', 2, 'Вести, Fri Nov 20'],
    ['that is long is cut', 'Очень '.repeat(30), 2, /^(?:Очень )+Очень…, Fri Nov 20, 10AM/],
    ['of emoji is kept', '🗞️', 2, '🗞️, Fri Nov 20'],
    ['leaves at least the link in a single segment', 'Очень длинное имя', 1, 'news.example.com'],
  ])('a site name %s, within the limit', (_what, name, maxSegments, expected) => {
    const text = textOf(['Ships return'], { name, maxSegments })
    expect(text).toMatch(expected)
    expect(text.endsWith(link)).toBe(true)
    expect(countSegments(text)).toBeLessThanOrEqual(maxSegments)
  })

  test('a day in another script is within the limit', () => {
    const text = textOf(['雨'], { language: 'ja' })
    expect(text).toContain('雨')
    expect(countSegments(text)).toBeLessThanOrEqual(2)
  })

  test('a line break in a title does not end the line', () => {
    expect(textOf(['One\nhttps://elsewhere.example']).split('\n')).toHaveLength(2)
  })

  test('any titles keep within the limit, with whole letters and the link', () => {
    const title = fc.oneof(
      fc.string({ unit: 'grapheme' }),
      fc.string({
        unit: fc.constantFrom('Я', 'ж', ' ', '🇫🇷', 'é', 'á', 'कि', '京', 'a'),
        maxLength: 120,
      }),
    )
    const options = fc.record({
      maxSegments: fc.integer({ min: 2, max: 4 }),
      isPdf: fc.boolean(),
      name: fc.constantFrom('Tidings', 'Вести', 'Bogotá '.repeat(40), '🌊', ''),
    })
    fc.assert(
      fc.property(fc.array(title, { maxLength: 5 }), options, fc.boolean(), (titles, given, ends) => {
        const text = textOf(titles, { ...given, ...(ends ? { ending: howToStop } : {}) })
        expect(countSegments(text)).toBeLessThanOrEqual(given.maxSegments)
        expect(text.isWellFormed()).toBe(true)
        expect(text.split('\n').slice(ends ? -2 : -1)).toEqual(ends ? [link, howToStop] : [link])
        const isWritten = (words: string) => [...words].every(isGsm)
        if (titles.every(isWritten) && isWritten(given.name)) expect([...text].every(isGsm)).toBe(true)
      }),
      { seed: 52 },
    )
  })
})
