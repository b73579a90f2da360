import { expect, it } from 'vitest'
import { makeParagraphs } from './paragraphs.ts'

it('the paragraphs are the same in every run', () => {
  expect(makeParagraphs(3)).toEqual(makeParagraphs(3))
})

it('the paragraphs differ from each other', () => {
  expect(new Set(makeParagraphs(200)).size).toBe(200)
})

it('a paragraph has about 700 bytes', () => {
  const bytes = makeParagraphs(50).map((text) => Buffer.byteLength(text))
  expect(Math.min(...bytes)).toBeGreaterThan(600)
  expect(Math.max(...bytes)).toBeLessThan(850)
})
