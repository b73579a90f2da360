import { describe, expect, test } from 'vitest'
import { describeStart, type ShownSite } from './start-text.ts'

const link = 'http://localhost:3000/desk/sign-in/0193a000.c2lnbmF0dXJl'
const site: ShownSite = {
  appId: 'app_1',
  databaseUrl: 'postgresql://localhost:5432/tidings',
  editorKey: 'tdk_1',
  identityUrl: '',
  inboxUrl: '',
  isSeeded: true,
  logDir: '/data/logs',
  publicKey: 'pk_1',
  sitePassword: 'secret',
  stripeUrl: '',
  url: 'http://localhost:3000',
}

/** Returns the printed row with a label, as its value. */
function shownValue(
  label: string,
  { signInLink = link, ...changes }: Partial<ShownSite> & { signInLink?: string | null } = {},
) {
  const text = describeStart({ ...site, ...changes }, 'start', { signInLink, rows: [], ms: 1_500 })
  const line = text.split('\n').find((each) => each.startsWith(`  ${label} `))
  return line?.slice(label.length + 2).trim()
}

describe('what start prints', () => {
  test('has the desk and the link that signs in there, whole and alone in its row', () => {
    expect(shownValue('Sign in there')).toBe(link)
    expect(shownValue('Desk')).toBe('http://localhost:3000/desk')
  })

  test('says how to invite someone when nobody is there', () => {
    expect(shownValue('Sign in there', { signInLink: null })).toBe('(none; see `tidings people invite`)')
  })

  test('names the settings that are missing', () => {
    expect(shownValue('Site password', { sitePassword: '' })).toContain('set SITE_PASSWORD')
    expect(shownValue('Editor key', { editorKey: '' })).toContain('set EDITOR_API_KEY')
    expect(shownValue('Login', { isSeeded: false })).toBe('(none)')
  })

  test('begins with the rows of the mode, and ends with how to stop', () => {
    const rows: [string, string][] = [['Web app', 'http://localhost:5173']]
    const text = describeStart(site, 'dev', { signInLink: link, rows, ms: 1_500 })
    expect(text).toMatch(/ready in 1\.5 s\)\n\n {2}Web app +http:\/\/localhost:5173\n {2}Site /)
    expect(text).toContain('Press Ctrl-C to stop. It reloads when you change the sources.')
  })
})
