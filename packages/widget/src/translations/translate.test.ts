import { messages } from '@tidings/contracts/membership/messages'
import { describe, expect, it, vi } from 'vitest'
import { catalog as english } from './en.ts'
import { chooseLanguage, languages } from './language.ts'
import { createTranslate, loadCatalog } from './translate.ts'

const placeholdersOf = (text: string) => [...text.matchAll(/\{(\w+)\}/g)].map(([, name]) => name).toSorted()

describe.each(languages)('the catalog in %s', (language) => {
  it('has the keys and placeholders of the English one, and no empty text', async () => {
    const catalog = await loadCatalog(language)
    expect(Object.keys(catalog)).toEqual(Object.keys(english))
    for (const [key, text] of Object.entries(catalog)) expect(text.trim(), key).not.toBe('')
    const placeholders = Object.entries(catalog).map(([key, text]) => [key, placeholdersOf(text)])
    expect(placeholders).toEqual(Object.entries(english).map(([key, text]) => [key, placeholdersOf(text)]))
  })

  it('is translated', async () => {
    if (language === 'en') return
    const texts = Object.entries(await loadCatalog(language))
    const same = texts.filter(([key, text]) =>
      Object.entries(english).some(([k, t]) => k === key && t === text),
    )
    expect(same.length).toBeLessThan(6)
  })
})

it('the English texts are those that clients compare letter for letter', () => {
  expect(english).toMatchObject({
    email_error_message: messages.invalidEmail,
    password_error_message: messages.passwordTooShort,
    code_error_message: 'Please enter a valid code',
    not_an_image: messages.notAnImage,
    image_too_large: messages.imageTooLarge,
    password_reset_success: 'Success! Your password has been reset; please login with your new credentials.',
    loading: messages.loading,
  })
})

describe('chooseLanguage', () => {
  const browse = (...tags: string[]) => vi.spyOn(navigator, 'languages', 'get').mockReturnValue(tags)

  it('takes the preferred language, then that of the page, then that of the browser', () => {
    browse('pt-BR', 'de-AT', 'fr')
    document.documentElement.lang = ''
    expect(chooseLanguage()).toBe('de')
    document.documentElement.lang = 'FR-ca'
    expect(chooseLanguage(null)).toBe('fr')
    expect(chooseLanguage(' es_MX ')).toBe('es')
  })

  it('skips languages without a catalog and falls back to English', () => {
    browse('ja')
    document.documentElement.lang = 'es'
    expect(chooseLanguage('nl')).toBe('es')
    document.documentElement.lang = 'ar'
    expect(chooseLanguage('')).toBe('en')
  })
})

describe('createTranslate', () => {
  it('fills in placeholders and inserts values as they are', () => {
    const t = createTranslate(english)
    expect(t('close')).toBe('Close')
    expect(t('code_digit', { position: 2, count: 6 })).toBe('Digit 2 of 6')
    expect(t('code_sent', { email: '$&@example.com' })).toBe('We sent a six-digit code to $&@example.com.')
  })

  it('prefers the first map that has the key', () => {
    const t = createTranslate(english, { login: 'Enter' }, { login: 'Log in', sign_up: 'Join', plans: '' })
    expect([t('login'), t('sign_up'), t('plans')]).toEqual(['Enter', 'Join', 'Plans'])
  })

  it('ignores maps and texts of other types', () => {
    const t = createTranslate(english, null, 'text', undefined, { login: 7, close: { title: 'x' } })
    expect([t('login'), t('close')]).toEqual(['Login', 'Close'])
  })

  it('appends the provider to a text without its placeholder, as published clients do', () => {
    const t = createTranslate(english, { continue_with: 'Weiter mit' })
    expect(t('continue_with', { provider: 'Google' })).toBe('Weiter mit Google')
  })
})
