import { describe, expect, it } from 'vitest'
import { describeSmsCountries } from './sms-countries.ts'

describe('describeSmsCountries', () => {
  it.each([
    [['US'], 'en', 'Texts go to mobile numbers from: United States.'],
    [['US', 'CA'], 'en', 'Texts go to mobile numbers from: Canada and United States.'],
    [['GB', 'JE', 'IM'], 'en', 'Texts go to mobile numbers from: Isle of Man, Jersey, and United Kingdom.'],
    [['DE', 'AT', 'CH'], 'de', 'Texts go to mobile numbers from: Deutschland, Österreich und Schweiz.'],
    [['FR', 'GP'], 'fr', 'Texts go to mobile numbers from: France et Guadeloupe.'],
    [['XK'], 'en', 'Texts go to mobile numbers from: Kosovo.'],
  ])('names %j in %s', (countries, language, text) => {
    expect(describeSmsCountries(countries, 'US', language)).toEqual({ text, all: null })
  })

  it('names the own country and two others of many, and has the whole list', () => {
    const countries = ['SE', 'AT', 'DE', 'FR', 'BE', 'NL']
    expect(describeSmsCountries(countries, 'SE', 'en')).toEqual({
      text: 'Texts go to mobile numbers from 6 countries, among them: Sweden, Austria, and Belgium.',
      all: 'Austria, Belgium, France, Germany, Netherlands, and Sweden',
    })
  })

  it('returns no countries on a site that sends no texts', () => {
    expect(describeSmsCountries([], 'US', 'en')).toBeNull()
  })
})
