import { describe, expect, it } from 'vitest'
import { configOf, databaseUrl, production } from '#test/test-config.ts'
import { deskSiteOf } from './desk-site.ts'

const development = { DATABASE_URL: databaseUrl, PORT: '3000' }

describe('deskSiteOf', () => {
  it('derives origin and RP id from SITE_URL', () => {
    const site = deskSiteOf(configOf(production))

    expect(site.passkeys).toMatchObject({ rpId: 'news.example.com', origins: ['https://news.example.com'] })
    expect([...site.origins]).toEqual(['https://news.example.com'])
    expect([site.isSecure, site.hasPasskeys]).toEqual([true, true])
    expect(site.pageUrl('/desk/invitation/x')).toBe('https://news.example.com/desk/invitation/x')
  })

  it.each(['http://localhost:3000', 'http://127.0.0.1:3000'])('is localhost for %s in development', (url) => {
    const site = deskSiteOf(configOf({ ...development, SITE_URL: url }))

    expect(site.passkeys.rpId).toBe('localhost')
    expect(site.passkeys.origins).toContain('http://localhost:3000')
    expect(site.passkeys.origins).not.toContain('http://127.0.0.1:3000')
    expect([site.isSecure, site.hasPasskeys]).toEqual([false, true])
    expect(site.pageUrl('/desk')).toBe('http://localhost:3000/desk')
  })

  it.each(['http://news.example.com', 'https://192.0.2.1', 'http://192.0.2.1', 'https://[2001:db8::1]'])(
    'has no passkeys at %s',
    (url) => {
      expect(deskSiteOf(configOf({ ...production, SITE_URL: url })).hasPasskeys).toBe(false)
    },
  )
})
