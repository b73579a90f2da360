import { expect, it } from 'vitest'
import { wordsToCopy } from './words-to-copy.ts'

it('copies the unsaved fields of each text without markup, in the order of its readers', () => {
  const memo = { fields: { memo_content: '<p>The bell &amp; the crew.</p>', title: 'A bell' }, versions: {} }
  const article = { fields: { title: 'A strait', language: 'de', media_focus: { x: 0, y: 0 } }, versions: {} }

  expect(wordsToCopy([memo, article])).toBe('A bell\n\nThe bell & the crew.\n\n\nA strait')
})

it.for([[], [null], [{ fields: { language: 'de' } }], [{ fields: 'lost' }]])(
  'copies nothing of %j',
  (texts) => {
    expect(wordsToCopy(texts)).toBe('')
  },
)
