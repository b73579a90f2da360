import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { contentGroupDraft } from '@tidings/contracts/desk/content/content-groups'
import { secureContentDraft } from '@tidings/contracts/desk/content/secure-content'
import { describe, expect, it } from 'vitest'
import { firstAppConfig } from '#platform/membership-apps/app-config.ts'
import { altTexts } from './alt-texts.ts'
import {
  drawingUrl,
  seedArticles,
  seedDays,
  seedSecureContents,
  todaySets,
  yearlyArticle,
  yearlyGroup,
} from './index.ts'
import type { SeedEdition, SeedPicture } from './types.ts'

const slots = ['10AM', '3PM', '8PM']
const allowedTags = new Set(['p', 'a', 'strong', 'em', 'ul', 'ol', 'li', 'blockquote', 'h2', 'h3', 'br'])

const editions: readonly SeedEdition[] = [...seedDays.flatMap((day) => day.editions), ...todaySets.flat()]
const memos = editions.flatMap((edition) => edition.memos)
const pictures: SeedPicture[] = [...memos, ...seedArticles].flatMap((entry) => entry.picture ?? [])
const htmls = [
  ...memos.map((memo) => memo.content),
  ...seedArticles.map((article) => article.content),
  ...seedSecureContents.map((secureContent) => secureContent.content),
  ...pictures.flatMap((picture) => picture.text ?? []),
]

function wordsIn(html: string): number {
  return html
    .replace(/<[^>]*>/g, ' ')
    .split(/\s+/)
    .filter(Boolean).length
}

/** Returns the errors of a fragment: unknown tags, stray attributes and wrong nesting. */
function markupFaults(html: string): string[] {
  const faults: string[] = []
  const open: string[] = []
  for (const [tag, slash, name = '', rest = ''] of html.matchAll(/<(\/?)([a-z0-9]+)([^>]*)>/gi)) {
    if (!allowedTags.has(name)) faults.push(`${tag} is not allowed`)
    if (name === 'a' && !slash && !/^ href="https:\/\/[^"\s]+"$/.test(rest))
      faults.push(`${tag} needs one https href`)
    if (name !== 'a' && rest !== '') faults.push(`${tag} carries attributes`)
    if (name === 'br') continue
    if (!slash) open.push(name)
    else if (open.pop() !== name) faults.push(`${tag} closes nothing`)
  }
  return [...faults, ...open.map((name) => `<${name}> is never closed`)]
}

describe('seed days', () => {
  it('cover at least four distinct real dates in order', () => {
    const dates = seedDays.map((day) => day.date)
    expect(dates.length).toBeGreaterThanOrEqual(4)
    expect(dates).toEqual([...new Set(dates)].sort())
    for (const date of dates) expect(new Date(`${date}T00:00:00Z`).toISOString().slice(0, 10)).toBe(date)
  })

  it('bring the three slots each, as do both sets for the current date', () => {
    expect(todaySets).toHaveLength(2)
    for (const day of [...seedDays.map((entry) => entry.editions), ...todaySets]) {
      expect(day.map((edition) => edition.slot)).toEqual(slots)
    }
  })

  it('hold five to nine memos an edition, under titles that differ', () => {
    for (const edition of editions) {
      expect(edition.memos.length).toBeGreaterThanOrEqual(5)
      expect(edition.memos.length).toBeLessThanOrEqual(9)
      expect(new Set(edition.memos.map((memo) => memo.title)).size).toBe(edition.memos.length)
    }
  })
})

describe('seed memos', () => {
  it('have titles of 4 to 18 words and bodies of 30 to 400', () => {
    for (const memo of memos) {
      expect(wordsIn(memo.title), memo.title).toBeGreaterThanOrEqual(4)
      expect(wordsIn(memo.title), memo.title).toBeLessThanOrEqual(18)
      expect(wordsIn(memo.content), memo.title).toBeGreaterThanOrEqual(30)
      expect(wordsIn(memo.content), memo.title).toBeLessThanOrEqual(400)
    }
  })

  it('name an https source', () => {
    for (const memo of memos) expect(new URL(memo.source).protocol, memo.title).toBe('https:')
  })

  it('contain their date when they are used for today', () => {
    for (const memo of todaySets.flat().flatMap((edition) => edition.memos)) {
      expect(memo.content, memo.title).toMatch(/\b1[0-9]{3}\b|\b20[0-9]{2}\b/)
    }
  })

  it('never show one drawing twice in an edition', () => {
    for (const edition of editions) {
      const drawings = edition.memos.flatMap((memo) => memo.picture?.drawing ?? [])
      expect(new Set(drawings).size).toBe(drawings.length)
    }
  })
})

describe('seed articles', () => {
  it('are four, of 600 words and more, with headings, a list, a quotation and links', () => {
    expect(seedArticles).toHaveLength(4)
    for (const article of seedArticles) {
      expect(wordsIn(article.content), article.title).toBeGreaterThanOrEqual(600)
      for (const part of ['<h2>', '<li>', '<blockquote>', '<a href=']) expect(article.content).toContain(part)
    }
  })
})

describe('seeded secure content', () => {
  it('is a welcome for every member and a text for the yearly plan, as an editor might write them', () => {
    const opened = Object.fromEntries(seedSecureContents.map(({ contentId, plans }) => [contentId, plans]))
    expect(opened).toEqual({ 'members-welcome': [], 'yearly-only': ['pln_yearly-9b5s7j3dy6'] })
    for (const { content, plans } of seedSecureContents) {
      expect(secureContentDraft.safeParse({ type: 'HTML', content, plans }).success).toBe(true)
      expect(wordsIn(content)).toBeGreaterThanOrEqual(60)
    }
  })

  it('has a group for one of the articles, by a plan that a new site offers', () => {
    const offered = firstAppConfig('Tidings').plans.map(({ id }) => id)
    expect(contentGroupDraft.safeParse(yearlyGroup).success).toBe(true)
    expect(yearlyGroup.plans).toEqual(['pln_yearly-9b5s7j3dy6'])
    expect(offered).toEqual(expect.arrayContaining([...yearlyGroup.plans]))
    expect(seedArticles).toContain(yearlyArticle)
  })
})

describe('seed markup and drawings', () => {
  it('use only the allowed tags, well nested, with https links', () => {
    expect(htmls.flatMap(markupFaults)).toEqual([])
  })

  it('show pictures whose drawing exists, under a caption', () => {
    for (const picture of pictures) {
      expect(existsSync(drawingUrl(picture.drawing)), picture.drawing).toBe(true)
      expect(picture.title.length).toBeGreaterThan(10)
    }
  })

  it('have an alt text for each drawing', () => {
    expect(Object.keys(altTexts).sort()).toEqual(readdirSync(drawingUrl('.')).sort())
  })

  it('are drawings of 1200 × 800 without text, script or outside references, each in use', () => {
    const files = readdirSync(drawingUrl('.'))
    expect([...new Set(pictures.map((picture) => picture.drawing))].sort()).toEqual(files.sort())
    for (const file of files) {
      const svg = readFileSync(drawingUrl(file), 'utf8')
      expect(svg, file).toContain('viewBox="0 0 1200 800"')
      expect(svg, file).not.toMatch(/<text|<image|<script|href=|font-/)
    }
  })
})
