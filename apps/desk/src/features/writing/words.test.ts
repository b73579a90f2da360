import { describe, expect, it } from 'vitest'
import { isKeptOf, newInKept } from './kept-words.ts'
import { countWords, plainText } from './plain-text.ts'
import { compareWords } from './word-differences.ts'

describe('the words of a text', () => {
  it('are read without markup', () => {
    expect(plainText('<p>Fish &amp; <b>chips</b></p><p>A &lt; B</p>')).toBe('Fish & chips\nA < B')
    expect(countWords('<p>One two</p><p>three</p>')).toBe(3)
    expect(countWords('<p></p>')).toBe(0)
  })

  it('that the device kept are offered only where the server lacks them', () => {
    const server = { title: 'A title', source: '' }
    const kept = {
      fields: { title: 'A title', source: 'https://new.example' },
      versions: { title: 1, source: 1 },
    }
    expect(isKeptOf(kept, server)).toBe(true)
    expect(isKeptOf({ fields: { unknown: 1 }, versions: {} }, server)).toBe(false)
    expect(newInKept(kept, server)).toEqual({
      fields: { source: 'https://new.example' },
      versions: { source: 1 },
    })
  })

  it('are compared one by one', () => {
    expect(compareWords('The bell goes back in spring', 'The bell goes back on May 4')).toEqual([
      [
        { text: 'The bell goes back', isOnlyHere: false },
        { text: ' in spring', isOnlyHere: true },
      ],
      [
        { text: 'The bell goes back', isOnlyHere: false },
        { text: ' on May 4', isOnlyHere: true },
      ],
    ])
  })
})
