import { expect, it } from 'vitest'
import { makeParagraphs } from './paragraphs.ts'

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
