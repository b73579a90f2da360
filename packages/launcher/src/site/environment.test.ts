import { afterEach, describe, expect, test, vi } from 'vitest'
import { reachableHost, siteEnvironment } from './environment.ts'

const facts = {
  given: {},
  port: 3000,
  sandboxPort: 3001,
  smtpPort: 3002,
  bouncePort: 3003,
  databaseUrl: 'postgresql://127.0.0.1/tidings',
  dataDir: '/data',
  workers: 1,
  vapidKeys: { publicKey: 'public', privateKey: 'private' },
}

afterEach(() => vi.unstubAllEnvs())

describe('siteEnvironment', () => {
  test('development has a password, an editor key and a mail server by default', () => {
    const env = siteEnvironment(facts)
    expect(env).toMatchObject({
      NODE_ENV: 'development',
      SITE_PASSWORD: 'tidings',
      SANDBOX: 'on',
      API_JOBS: 'off',
    })
    expect(env).toMatchObject({ SMTP_URL: 'smtp://127.0.0.1:3002', BOUNCE_SMTP_PORT: '3003' })
    expect(env.EDITOR_API_KEY).toMatch(/^tdk_/)
  })

  test('development notifies browsers with its own keys, or with those that are set', () => {
    expect(siteEnvironment(facts)).toMatchObject({
      VAPID_PUBLIC_KEY: 'public',
      VAPID_PRIVATE_KEY: 'private',
      PUSH_SERVICE_URL: 'http://localhost:3001',
    })
    const given = { VAPID_PUBLIC_KEY: 'own', VAPID_PRIVATE_KEY: 'secret', SANDBOX: 'off' }
    const env = siteEnvironment({ ...facts, given })
    expect(env).toMatchObject(given)
    expect(env.PUSH_SERVICE_URL).toBeUndefined()
  })

  test('production has no default secrets and no mail server', () => {
    const env = siteEnvironment({ ...facts, given: { NODE_ENV: 'production' } })
    expect(env.SITE_PASSWORD).toBeUndefined()
    expect(env.EDITOR_API_KEY).toBeUndefined()
    expect(env.SMTP_URL).toBeUndefined()
    expect(env.SANDBOX).toBe('off')
  })

  test.each([
    ['without a key', {}],
    [
      'with the settings of the compose file',
      { STRIPE_SECRET_KEY: 'sk_test_tidings_local', STRIPE_API_URL: 'http://sandbox.localhost:3001' },
    ],
  ])('development uses the Stripe emulator %s', (_title, given) => {
    expect(siteEnvironment({ ...facts, given })).toMatchObject({
      STRIPE_SECRET_KEY: 'sk_test_tidings_local',
      STRIPE_API_URL: 'http://localhost:3001',
      STRIPE_WEBHOOK_URL: 'http://localhost:3000/webhooks/stripe',
    })
  })

  test('the Stripe emulator sends its events to the configured address', () => {
    const given = { STRIPE_WEBHOOK_URL: 'http://proxy.example/webhooks/stripe' }
    expect(siteEnvironment({ ...facts, given })).toMatchObject(given)
  })

  test('a site with its own Stripe key does not use the emulator', () => {
    const given = { STRIPE_SECRET_KEY: 'sk_test_own', STRIPE_WEBHOOK_SECRET: 'whsec_own' }
    const env = siteEnvironment({ ...facts, given })
    expect(env).toMatchObject(given)
    expect(env.STRIPE_API_URL).toBeUndefined()
    expect(env.STRIPE_WEBHOOK_URL).toBeUndefined()
  })

  test('development uses the Twilio emulator, whose callbacks reach the site', () => {
    expect(siteEnvironment(facts)).toMatchObject({
      TWILIO_ACCOUNT_SID: expect.stringMatching(/^AC[\da-f]{32}$/),
      TWILIO_API_URL: 'http://localhost:3001',
      TWILIO_CALLBACK_ORIGIN: 'http://localhost:3000',
    })
  })

  test.each([
    ['off in development', {}, 'off'],
    ['as set', { SMS_QUIET_HOURS: '22:00-07:00' }, '22:00-07:00'],
    ['the default in production', { NODE_ENV: 'production' }, undefined],
  ])('quiet hours are %s', (_title, given, expected) => {
    expect(siteEnvironment({ ...facts, given }).SMS_QUIET_HOURS).toBe(expected)
  })

  test('a site with its own Twilio account does not use the emulator', () => {
    const given = { TWILIO_ACCOUNT_SID: `AC${'1'.repeat(32)}`, TWILIO_FROM: '+15005550001' }
    const env = siteEnvironment({ ...facts, given })
    expect(env).toMatchObject(given)
    expect(env.TWILIO_API_URL).toBeUndefined()
  })

  test('settings from the caller win, even an empty password', () => {
    const given = {
      SITE_NAME: 'Morning',
      SITE_PASSWORD: '',
      SMTP_URL: 'smtp://mail.example',
      OIDC_PROVIDERS: '[]',
      APP_ID: 'app_morning',
    }
    const env = siteEnvironment({ ...facts, given: { ...given, SITE_SECRET: '' } })
    expect(env).toMatchObject(given)
    expect(env.SITE_SECRET).toBeUndefined()
  })

  test('development offers login with the identity emulator', () => {
    const env = siteEnvironment(facts)
    expect(JSON.parse(env.OIDC_PROVIDERS ?? '')).toEqual([
      {
        key: 'local',
        name: 'Tidings ID',
        issuer: 'http://localhost:3001/identity',
        clientId: 'tidings-local',
        clientSecret: 'local-secret',
      },
    ])
    expect(env).toMatchObject({ APP_ID: 'app_tidings', APP_PUBLIC_KEY: 'pk_tidings' })
  })

  test.each([
    ['the sandbox is off', { SANDBOX: 'off' }],
    ['it runs in production', { NODE_ENV: 'production' }],
    ['the sandbox listens on another host name', { HOST: '192.168.1.5' }],
  ])('there is no identity emulator when %s', (_title, given) => {
    expect(siteEnvironment({ ...facts, given }).OIDC_PROVIDERS).toBeUndefined()
  })

  test('settings in the environment of this process are ignored', () => {
    vi.stubEnv('SITE_NAME', 'Elsewhere')
    vi.stubEnv('GITHUB_URL', 'https://github.elsewhere.example')
    vi.stubEnv('RATE_GATE_TRIES_PER_MINUTE', '1')
    const env = siteEnvironment(facts)
    expect(env.SITE_NAME).toBeUndefined()
    expect(env.GITHUB_URL).toBeUndefined()
    expect(env.RATE_GATE_TRIES_PER_MINUTE).toBeUndefined()
    expect(env.PATH).toBe(process.env.PATH)
  })

  test('without workers the API runs the jobs', () => {
    expect(siteEnvironment({ ...facts, workers: 0 }).API_JOBS).toBe('on')
  })
})

describe('reachableHost', () => {
  test.each([
    [undefined, 'localhost'],
    ['0.0.0.0', 'localhost'],
    ['::', 'localhost'],
    ['192.168.1.5', '192.168.1.5'],
  ])('a server on %s is reached at %s', (host, reached) => {
    expect(reachableHost(host)).toBe(reached)
  })
})
