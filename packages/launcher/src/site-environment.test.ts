import { afterEach, describe, expect, test, vi } from 'vitest'
import { reachableHost, siteEnvironment } from './site-environment.ts'

const known = {
  given: {},
  port: 3000,
  sandboxPort: 3001,
  smtpPort: 3002,
  databaseUrl: 'postgresql://127.0.0.1/tidings',
  dataDir: '/data',
  workers: 1,
}

afterEach(() => vi.unstubAllEnvs())

describe('siteEnvironment', () => {
  test('in development there is a password, an editor key and an inbox to send to', () => {
    const env = siteEnvironment(known)
    expect(env).toMatchObject({
      NODE_ENV: 'development',
      SITE_PASSWORD: 'tidings',
      SANDBOX: 'on',
      API_JOBS: 'off',
    })
    expect(env.SMTP_URL).toBe('smtp://127.0.0.1:3002')
    expect(env.EDITOR_API_KEY).toMatch(/^tdk_/)
  })

  test('in production no secret is made up and mail goes to no inbox', () => {
    const env = siteEnvironment({ ...known, given: { NODE_ENV: 'production' } })
    expect(env.SITE_PASSWORD).toBeUndefined()
    expect(env.EDITOR_API_KEY).toBeUndefined()
    expect(env.SMTP_URL).toBeUndefined()
    expect(env.SANDBOX).toBe('off')
  })

  test('what is given wins, and an empty password is a password', () => {
    const given = {
      SITE_NAME: 'Morning',
      SITE_PASSWORD: '',
      SITE_SECRET: '',
      SMTP_URL: 'smtp://mail.example',
    }
    const env = siteEnvironment({ ...known, given })
    expect(env).toMatchObject({ SITE_NAME: 'Morning', SITE_PASSWORD: '', SMTP_URL: 'smtp://mail.example' })
    expect(env.SITE_SECRET).toBeUndefined()
  })

  test('settings of whoever runs it do not get in', () => {
    vi.stubEnv('SITE_NAME', 'Elsewhere')
    vi.stubEnv('RATE_GATE_TRIES_PER_MINUTE', '1')
    const env = siteEnvironment(known)
    expect(env.SITE_NAME).toBeUndefined()
    expect(env.RATE_GATE_TRIES_PER_MINUTE).toBeUndefined()
    expect(env.PATH).toBe(process.env.PATH)
  })

  test('without workers the API works the jobs', () => {
    expect(siteEnvironment({ ...known, workers: 0 }).API_JOBS).toBe('on')
  })
})

describe('reachableHost', () => {
  test.each([
    [undefined, 'localhost'],
    ['0.0.0.0', 'localhost'],
    ['::', 'localhost'],
    ['192.168.1.5', '192.168.1.5'],
  ])('what listens on %s is reached at %s', (host, reached) => {
    expect(reachableHost(host)).toBe(reached)
  })
})
