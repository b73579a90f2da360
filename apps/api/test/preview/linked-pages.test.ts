import { describe, expect, it } from 'vitest'
import { linkedPages, pagesOfEmail, screensOfEmail, withBrightness } from './linked-pages.ts'

describe('the pages that emails link to', () => {
  it('are the web view, the preferences, unsubscribing and the confirmation, in their states', () => {
    const pages = linkedPages()
    expect([...new Set(pages.map(({ kind }) => kind))]).toEqual([
      'web view',
      'preferences',
      'unsubscribe',
      'verify',
    ])
    for (const { html, title } of pages) {
      expect(title).not.toBe('')
      expect(html).toMatch(/^<!doctype html/i)
    }
    expect(new Set(pages.map(({ kind, sample }) => `${kind} ${sample}`)).size).toBe(pages.length)
  })

  it.each([
    ['web view', ['one memo', 'a withdrawn edition', 'expired', 'a wrong link']],
    ['preferences', ['choices', 'saved', 'paused', 'continued', 'a wrong day', 'expired', 'a wrong link']],
    ['unsubscribe', ['asked', 'done', 'expired', 'a wrong link', 'of a deleted account']],
    ['verify', ['with the password', 'confirmed before', 'expired', 'incomplete', 'a wrong password']],
  ])('show the %s valid, used, expired and wrong', (kind, samples) => {
    const shown = linkedPages()
      .filter((page) => page.kind === kind)
      .map(({ sample }) => sample)
    expect(shown).toEqual(expect.arrayContaining(samples))
  })

  it('show a button for the session, or the password', () => {
    const pages = linkedPages().filter(({ kind }) => kind === 'verify')
    const htmlOf = (sample: string) => pages.find((page) => page.sample === sample)?.html
    expect(htmlOf('with the session')).toContain('<div id="by-password" hidden>')
    expect(htmlOf('with the password')).toContain('id="by-session" hidden')
  })

  it('are shown in light and in dark', () => {
    for (const { html } of linkedPages()) {
      expect(withBrightness(html, 'light')).toContain('@media not all')
      expect(withBrightness(html, 'dark')).toContain('@media all')
      expect(withBrightness(html, 'dark')).not.toContain('prefers-color-scheme: dark')
    }
  })

  it('belong to the emails that lead to them', () => {
    const kinds = new Set(linkedPages().map(({ kind }) => kind))
    expect(pagesOfEmail('verification')).toEqual(['verify'])
    expect(pagesOfEmail('delivery').filter((kind) => !kinds.has(kind))).toEqual([])
    expect(pagesOfEmail('subscribed')).toEqual([])
  })
})

describe('the screens that an email leads to', () => {
  it.each([
    ['subscribed', 'Choose:\nhttps://news.example.com/#/account/dashboard\n', ['/account/dashboard']],
    ['password-changed', 'Reset:\nhttps://news.example.com/#/resetpassword', ['/resetpassword']],
    ['reset-code', 'Enter this code', ['/resetpassword']],
    ['email-changed', 'Write to us', []],
  ])('are those of %s', (kind, text, paths) => {
    expect(screensOfEmail({ kind, text }).map(({ path }) => path)).toEqual(paths)
  })
})
