import { describe, expect, it } from 'vitest'
import { addApp } from '#test/factories/membership-apps.ts'
import { useTestApp } from '#test/test-app.ts'

/** Returns the headers of the page with these settings, and the directives of its policy. */
async function pageHeaders(env: Record<string, string>, logo: string | null = null) {
  const site = await useTestApp({ env, working: false })
  const { app } = site
  const { appId: id, appPublicKey: publicKey } = site.context.config.site
  if (logo !== null) await addApp(site, { id, publicKey, branding: { logo } })
  const { headers } = await app.inject({ url: '/', headers: { accept: 'text/html' } })
  const policy = new Map(
    String(headers['content-security-policy'])
      .split(';')
      .map((directive) => {
        const [name = '', ...sources] = directive.trim().split(' ')
        return [name, sources]
      }),
  )
  return { headers, policy }
}

// The inline script and style of the tests' web app.
const inlineScript = "'sha256-yyjq/GGlTvm0YhdkNx72uPxcwaIXqWZBYZftmpA6pYU='"
const inlineStyle = "'sha256-6hWWMOcF+mJesSJGYhmK2lkIIEw9Xc5XKGLPVzh8yxs='"

describe('the headers of the page', () => {
  it('allow scripts, styles and connections of the site only, the inline ones by their hashes, and no framing', async () => {
    const { headers, policy } = await pageHeaders({})
    expect(policy.get('script-src')).toEqual(["'self'", inlineScript])
    expect(policy.get('style-src')).toEqual(["'self'", inlineStyle])
    expect(policy.get('connect-src')).toEqual(["'self'", 'ws://localhost:3000'])
    expect(policy.get('img-src')).toEqual(["'self'", 'data:'])
    expect(policy.get('frame-ancestors')).toEqual(["'none'"])
    expect(policy.get('object-src')).toEqual(["'none'"])
    expect(policy.get('base-uri')).toEqual(["'none'"])
    expect(headers['x-frame-options']).toBe('DENY')
    expect(headers['x-content-type-options']).toBe('nosniff')
    expect(headers['x-powered-by']).toBeUndefined()
  })

  it('allow the pictures and the captcha of the membership dialogs', async () => {
    const provider = {
      key: 'acme',
      name: 'Acme',
      issuer: 'https://login.acme.example',
      clientId: 'a',
      clientSecret: 'b',
      icon: 'https://static.acme.example/icon.svg',
    }
    const captcha = { CAPTCHA: 'turnstile', CAPTCHA_SITE_KEY: 'site', CAPTCHA_SECRET: 'hunter2' }
    const env = { OIDC_PROVIDERS: JSON.stringify([provider]), ...captcha }
    const { policy } = await pageHeaders(env, 'https://logos.example/ours.svg')
    const service = 'https://challenges.cloudflare.com'
    expect(policy.get('img-src')).toEqual([
      ...["'self'", 'data:', 'https://logos.example', 'https://static.acme.example'],
    ])
    expect(policy.get('script-src')).toEqual(["'self'", inlineScript, service])
    expect(policy.get('frame-src')).toEqual(["'self'", service])
    expect(policy.get('style-src')).toEqual(["'self'", inlineStyle, service])
    expect(policy.get('connect-src')).toContain(service)
  })

  it('contain no HSTS over HTTP', async () => {
    const { headers } = await pageHeaders({})
    expect(headers['strict-transport-security']).toBeUndefined()
  })

  it('contain HSTS and a wss: source over HTTPS', async () => {
    const { headers, policy } = await pageHeaders({ SITE_URL: 'https://news.example.com' })
    expect(headers['strict-transport-security']).toContain('max-age=31536000')
    expect(policy.get('connect-src')).toEqual(["'self'", 'wss://news.example.com'])
  })

  it('allow the tag manager if it is configured', async () => {
    const { policy } = await pageHeaders({ TAG_MANAGER_ID: 'GTM-ABC1234' })
    expect(policy.get('script-src')).toEqual(["'self'", inlineScript, 'https://www.googletagmanager.com'])
  })
})
