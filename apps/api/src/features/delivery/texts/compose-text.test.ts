import { describe, expect, test } from 'vitest'
import { composeText } from './compose-text.ts'
import { countSegments } from './gsm.ts'

const link = `https://news.example.com/l/view/${'a'.repeat(86)}`
const site = { name: 'Tidings', language: 'en' }

function textOf(titles: string[], { maxSegments = 2, isPdf = false } = {}): string {
  const editions = [{ edition: { slot: '10AM' }, memos: titles.map((title) => ({ title })) }]
  const content = { date: { year: 2026, month: 11, day: 20 }, editions }
  return composeText(content, { site, link, maxSegments, isPdf })
}

describe('composeText', () => {
  test('names the edition and its titles in GSM characters, and ends with the link', () => {
    expect(textOf(['Ships “return”', 'Rain — at last'])).toBe(
      `Tidings, Fri Nov 20, 10AM: Ships "return"; Rain - at last\n${link}`,
    )
  })

  test('says that its link opens a PDF', () => {
    expect(textOf(['🌊 שלום'], { maxSegments: 4, isPdf: true })).toBe(
      `Tidings, Fri Nov 20, 10AM (PDF): 🌊 שלום\n${link}`,
    )
  })

  test('as many titles as fit are named, and the others counted', () => {
    const text = textOf(['a'.repeat(60), 'b'.repeat(60), 'c'.repeat(60)])
    expect(text).toBe(`Tidings, Fri Nov 20, 10AM: ${'a'.repeat(60)}; ${'b'.repeat(60)}; +1\n${link}`)
    expect(countSegments(text)).toBe(2)
  })

  test('a title that does not fit leaves the name and the link', () => {
    expect(textOf(['a'.repeat(300)])).toBe(`Tidings, Fri Nov 20, 10AM\n${link}`)
  })

  test('emoji and right-to-left titles are kept as they are', () => {
    expect(textOf(['🌊 שלום'], { maxSegments: 4 })).toContain('10AM: 🌊 שלום\n')
  })

  test('a line break in a title does not end the line', () => {
    expect(textOf(['One\nhttps://elsewhere.example']).split('\n')).toHaveLength(2)
  })
})
