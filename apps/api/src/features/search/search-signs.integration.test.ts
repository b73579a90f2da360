import fc from 'fast-check'
import { expect } from 'vitest'
import { indexTest } from '#test/search.ts'

const it = indexTest()

// U+00AD and U+200B are left out, because they join words.
const signs = [
  ...' …—–―‐‑−’‘“”„«»‹›•·¿¡§¶†/\\.,;:!?()[]{}+=*@#%_~|"\'-\u00a0\u202f\u2009\u3000\t\n€£™°×→、。',
]
const words = [
  'turbine',
  'harbour',
  'Łukasz',
  'São',
  'naïve',
  'Straße',
  'Αθήνα',
  'Ещё',
  'مهرجان',
  'हिन्दी',
  '東京',
  'ไทย',
  '40',
  '2026',
]

it('finds two words with any signs between them', async ({ store, listMissed }) => {
  const between = fc.string({ unit: fc.constantFrom(...signs), minLength: 1, maxLength: 4 })
  const text = fc.tuple(fc.constantFrom(...words), between, fc.constantFrom(...words))
  const texts = fc.sample(text, { numRuns: 1_000, seed: 30 })
  const ids = await store(
    texts.map((parts) => ({
      title: 'Signs',
      content: `<p>${parts.join('').replaceAll('&', '&amp;').replaceAll('<', '&lt;')}</p>`,
    })),
  )
  const queries = texts.map(([one, , other], index) => ({ id: ids[index] ?? '', typed: `${one} ${other}` }))
  expect(await listMissed(queries)).toEqual([])
})
