import { describe, expect, it } from 'vitest'
import { directionOfLanguage } from './text-direction.ts'

describe('directionOfLanguage', () => {
  it.each([
    ['en', 'ltr'],
    ['pt-BR', 'ltr'],
    ['ar', 'rtl'],
    ['he-IL', 'rtl'],
    ['fa', 'rtl'],
    ['az', 'ltr'],
    ['az-Arab', 'rtl'],
  ])('of %s is %s', (language, direction) => {
    expect(directionOfLanguage(language)).toBe(direction)
  })
})
