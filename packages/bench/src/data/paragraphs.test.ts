import { expect, it } from 'vitest'
import { inventWord, makeParagraphs, makeProse } from './paragraphs.ts'

it('returns the same paragraphs in every run', () => {
  expect(makeParagraphs(3)).toEqual(makeParagraphs(3))
})

it('returns different paragraphs', () => {
  expect(new Set(makeParagraphs(200)).size).toBe(200)
})

it('returns paragraphs of about 700 bytes', () => {
  const bytes = makeParagraphs(50).map((text) => Buffer.byteLength(text))
  expect(Math.min(...bytes)).toBeGreaterThan(600)
  expect(Math.max(...bytes)).toBeLessThan(850)
})

it('makes prose with common and rare words, the same in every run', () => {
  const texts = makeProse(200)
  expect(texts).toEqual(makeProse(200))
  const words = texts.join(' ').split(' ')
  const count = (rank: number) => words.filter((word) => word === inventWord(rank)).length
  expect(count(2)).toBeGreaterThan(20 * count(200))
  expect(new Set(words).size).toBeGreaterThan(5_000)
})
