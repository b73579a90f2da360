import { describe, expect, it } from 'vitest'
import { configOf, databaseUrl, production, refusalOf } from '#test/test-config.ts'

describe('the secrets', () => {
  it('has no development secrets in production', () => {
    const { secrets } = configOf(production)
    expect(secrets).toEqual({
      siteSecret: production.SITE_SECRET,
      sitePassword: production.SITE_PASSWORD,
      editorApiKey: '',
    })
  })

  it('accepts an empty site password in production', () => {
    expect(configOf({ ...production, SITE_PASSWORD: '' }).secrets.sitePassword).toBe('')
  })

  it('requires no site password while the gate is off', () => {
    const config = configOf({ ...production, SITE_PASSWORD: undefined, SITE_GATE: 'off' })
    expect(config.gate.on).toBe(false)
  })

  it('names every missing secret at once', () => {
    const refusal = refusalOf({ ...production, SITE_SECRET: undefined, SITE_PASSWORD: undefined })
    expect(refusal).toContain('SITE_SECRET')
    expect(refusal).toContain('SITE_PASSWORD')
  })

  it('rejects an editor key shorter than 32 characters in production', () => {
    const short = 'tdk_28-characters-0000000000'.padEnd(31, '0')
    expect(refusalOf({ ...production, EDITOR_API_KEY: short })).toContain('EDITOR_API_KEY')
    expect(configOf({ ...production, EDITOR_API_KEY: `${short}0` }).secrets.editorApiKey).toHaveLength(32)
    expect(configOf({ DATABASE_URL: databaseUrl, EDITOR_API_KEY: 'short' }).secrets.editorApiKey).toBe(
      'short',
    )
  })

  it.each([
    ['SITE_SECRET', 'development-only-secret-of-this-site-0000'],
    ['SITE_SECRET', 'x'.repeat(64)],
    ['SITE_SECRET', 'changeme-changeme-changeme-changeme'],
    ['EDITOR_API_KEY', 'tdk_development0000000000000000000000000000'],
    ['EDITOR_API_KEY', '1234567890'.repeat(4)],
  ])('rejects %s=%s in production, without repeating it', (name, value) => {
    const refusal = refusalOf({ ...production, [name]: value })
    expect(refusal).toContain(`${name} `)
    expect(refusal).toContain('openssl rand -hex 32')
    expect(refusal).not.toContain(value)
  })

  it('leaves what readers type at the gate to the site', () => {
    expect(configOf({ ...production, SITE_PASSWORD: 'tidings' }).secrets.sitePassword).toBe('tidings')
  })

  it.each(['0.0.0.0', '::', '192.168.1.5', 'mymachine.local'])(
    'rejects HOST=%s in development with published secrets',
    (host) => {
      const env = { DATABASE_URL: databaseUrl, HOST: host }
      const editorKey = { EDITOR_API_KEY: 'tdk_development0000000000000000000000000000' }
      const own = { SITE_SECRET: production.SITE_SECRET, EDITOR_API_KEY: 'an own key' }
      expect(refusalOf(env)).toMatch(
        /^HOST makes .* other machines.* values: SITE_SECRET and EDITOR_API_KEY\. Set/,
      )
      expect(refusalOf({ ...env, ...own, ...editorKey })).toMatch(
        /values: EDITOR_API_KEY\. Set EDITOR_API_KEY /,
      )
      expect(configOf({ ...env, ...own }).http.host).toBe(host)
    },
  )

  it.each(['127.0.0.1', 'localhost', '::1', '127.0.1.1'])('needs no secrets with HOST=%s', (host) => {
    expect(configOf({ DATABASE_URL: databaseUrl, HOST: host }).http.host).toBe(host)
  })

  it.each(['SITE_SECRET', 'EDITOR_API_KEY'])('never includes the value of %s in an error', (name) => {
    const refusal = refusalOf({ ...production, [name]: 'hunter2' })
    expect(refusal).toContain(name)
    expect(refusal).not.toContain('hunter2')
  })
})

describe('STRIPE_WEBHOOK_SECRET', () => {
  const stripe = (secrets: string) => ({ STRIPE_SECRET_KEY: 'sk_test_1', STRIPE_WEBHOOK_SECRET: secrets })

  it('takes the secrets of two endpoints, and no third one', () => {
    const { payments } = configOf({ DATABASE_URL: databaseUrl, ...stripe('whsec_1, whsec_2') })
    expect(payments.stripe?.webhookSecrets).toEqual(['whsec_1', 'whsec_2'])
    expect(refusalOf({ DATABASE_URL: databaseUrl, ...stripe('whsec_1 whsec_2,whsec_3') })).toContain(
      'STRIPE_WEBHOOK_SECRET has more than two secrets',
    )
  })
})

describe("the emulators' secrets", () => {
  const stripe = { STRIPE_SECRET_KEY: 'sk_test_tidings_local', STRIPE_WEBHOOK_SECRET: 'whsec_tidings_local' }
  const twilio = {
    TWILIO_ACCOUNT_SID: 'AC00000000000000000000000074696464',
    TWILIO_AUTH_TOKEN: 'tidings-local-token',
    TWILIO_FROM: '+15005550006',
  }
  const push = {
    VAPID_PUBLIC_KEY:
      'BKf_49_segOjvPftG3VXXLEubg2V1rMdZudGhQ3FKozZWpPTBg_l6zLFWrGqiQyradnvUrgaGc47uF2-7JtkYZg',
    VAPID_PRIVATE_KEY: 'n2S0a2WcU1Mvm7GGRGvihvdH_LMb9sleHSVlb-cI5ww',
  }
  const identity = (issuer: string) => ({
    OIDC_PROVIDERS: JSON.stringify([
      { key: 'local', name: 'Tidings ID', issuer, clientId: 'tidings-local', clientSecret: 'local-secret' },
    ]),
  })

  it.each([
    ['STRIPE_SECRET_KEY, STRIPE_WEBHOOK_SECRET', stripe],
    ['STRIPE_WEBHOOK_SECRET', { ...stripe, STRIPE_SECRET_KEY: 'sk_live_1' }],
    [
      'STRIPE_WEBHOOK_SECRET',
      { STRIPE_SECRET_KEY: 'sk_live_1', STRIPE_WEBHOOK_SECRET: 'whsec_1, whsec_tidings_local' },
    ],
    ['STRIPE_SECRET_KEY', { ...stripe, STRIPE_API_URL: 'https://api.stripe.com' }],
    ['TWILIO_ACCOUNT_SID, TWILIO_AUTH_TOKEN', twilio],
    ['TWILIO_AUTH_TOKEN', { ...twilio, TWILIO_API_URL: 'https://api.twilio.com' }],
    ['VAPID_PRIVATE_KEY', push],
    ['OIDC_PROVIDERS', identity('https://login.acme.example')],
    [
      'CAPTCHA_SECRET',
      { CAPTCHA: 'turnstile', CAPTCHA_SITE_KEY: 'k', CAPTCHA_SECRET: '1x0000000000000000000000000000000AA' },
    ],
  ])('stop production where %s is for a real service', (names, env) => {
    expect(refusalOf({ ...production, ...env })).toContain(names)
    expect(configOf({ DATABASE_URL: databaseUrl, ...env }).environment).toBe('development')
  })

  it('are accepted at the emulators of Compose', () => {
    const sandbox = 'http://sandbox.localhost:3001'
    const env = {
      ...stripe,
      ...twilio,
      ...push,
      ...identity(`${sandbox}/identity`),
      STRIPE_API_URL: sandbox,
      PUSH_SERVICE_URL: sandbox,
      TWILIO_API_URL: 'http://sandbox:3001',
    }
    expect(configOf({ ...production, ...env }).environment).toBe('production')
  })
})
