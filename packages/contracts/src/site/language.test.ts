import { describe, expect, it } from 'vitest'
import { languageTag } from './language.ts'

describe('languageTag', () => {
  it.each([
    ['en', 'en'],
    ['AR', 'ar'],
    ['pt-br', 'pt-BR'],
    ['zh-hant-tw', 'zh-Hant-TW'],
    ['de-1996', 'de-1996'],
    ['iw', 'he'],
  ])('accepts %s and returns %s', (tag, canonical) => {
    expect(languageTag.parse(tag)).toBe(canonical)
  })

  it.each(['', ' ', 'e', 'en_US', 'en-', 'english language', 'ar,en', 'en"', '12', `en-${'x'.repeat(40)}`])(
    'rejects %j',
    (tag) => {
      expect(languageTag.safeParse(tag).success).toBe(false)
    },
  )
})
