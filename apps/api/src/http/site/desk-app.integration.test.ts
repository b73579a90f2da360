import { describe, expect } from 'vitest'
import { siteTest } from '#test/fixtures.ts'

const it = siteTest()
const html = { accept: 'text/html', host: 'localhost:3000' }

describe('the page of the desk', () => {
  it.for(['/desk', '/desk/', '/desk/sign-in', '/desk/editions/11-20-26-10AM?a=1'])(
    'is the same at %s, with the public settings and nothing for shared caches',
    async (url, { site }) => {
      const { statusCode, body, headers } = await site.app.inject({ url, headers: html })

      expect(statusCode).toBe(200)
      expect(body).toContain('"siteName":"Tidings"')
      expect(headers).toMatchObject({ 'cache-control': 'private, no-cache', 'x-robots-tag': 'noindex' })
    },
  )

  it('loads only its own files, inserts no text as HTML and is framed by no page', async ({ site }) => {
    const { headers } = await site.app.inject({ url: '/desk', headers: html })

    const policy = String(headers['content-security-policy']).split(';')
    expect(policy).toEqual(
      expect.arrayContaining([
        "default-src 'none'",
        "script-src 'self'",
        "style-src 'self'",
        "frame-ancestors 'none'",
        "require-trusted-types-for 'script'",
        'trusted-types clipboard prose',
      ]),
    )
    expect(headers['x-frame-options']).toBe('DENY')
  })

  it('is not the reply to a script, to an unknown call of the API or to a missing file', async ({ site }) => {
    const page = await site.app.inject({ url: '/desk/editions', headers: { accept: 'application/json' } })
    const call = await site.app.inject({ url: '/desk/v1/nothing', headers: html })
    const file = await site.app.inject({ url: '/desk/static/nothing.js', headers: { accept: '*/*' } })

    expect([page.statusCode, call.statusCode, file.statusCode]).toEqual([404, 404, 404])
    expect(call.body).not.toContain('desk-config')
  })

  it('has assets that browsers keep for good', async ({ site }) => {
    const { statusCode, headers } = await site.app.inject('/desk/static/main-0123.js')

    expect([statusCode, headers['cache-control']]).toEqual([200, 'public, max-age=31536000, immutable'])
  })
})
