import { describe, expect, it } from 'vitest'
import { randomIds } from '#platform/ids.ts'
import { type Config, readConfig } from './config.ts'
import { ConfigurationError, readSettings } from './env.ts'

const base = { DATABASE_URL: 'postgres://user@127.0.0.1:5432/tidings' }
const production = {
  ...base,
  NODE_ENV: 'production',
  SITE_URL: 'https://news.example.com',
  SITE_SECRET: randomIds.secret(),
  SITE_PASSWORD: 'open sesame',
}
const locations = {
  webApp: '/web',
  deskApp: '/desk',
  client: '/client',
  widget: '',
  migrations: '/migrations',
  hasher: '/hasher',
  pdfCompiler: '/pdf-compiler',
  heicDecoder: '/heic-decoder',
  reportReader: '/report-reader',
}

function configOf(environment: Record<string, string>): Config {
  return readConfig(readSettings({ ...base, ...environment }), locations)
}

/** Returns the error message for these settings. */
function refusalOf(environment: Record<string, string>): string {
  try {
    configOf(environment)
  } catch (error) {
    if (error instanceof ConfigurationError) return error.message
    throw error
  }
  throw new Error('The settings were accepted')
}

describe('ALLOWED_ORIGINS', () => {
  it.each([
    ['', []],
    ['https://www.example.com', ['https://www.example.com']],
    [' https://a.example , http://b.example:8080 ,', ['https://a.example', 'http://b.example:8080']],
    ['https://a.example,https://a.example', ['https://a.example']],
    ['http://[::1]:3000', ['http://[::1]:3000']],
    ['https://xn--bcher-kva.example', ['https://xn--bcher-kva.example']],
  ])('parses %j', (text, origins) => {
    expect([...configOf({ ...production, ALLOWED_ORIGINS: text }).site.allowedOrigins]).toEqual(origins)
  })

  it.each([
    '*',
    'null',
    'www.example.com',
    'https://www.example.com/',
    'https://www.example.com/path',
    'https://WWW.example.com',
    'https://*.example.com',
    'https://www.example.com:443',
    'https://user@www.example.com',
    'https://bücher.example',
    'file:///tmp',
    'data:text/html',
    'ftp://files.example.com',
    'https://a.example https://b.example',
    'https://a.example;https://b.example',
  ])('rejects %j and names it', (origin) => {
    const refusal = refusalOf({ ALLOWED_ORIGINS: `https://fine.example,${origin}` })
    expect(refusal).toContain('ALLOWED_ORIGINS')
    expect(refusal).toContain(origin.split(' ')[0] ?? origin)
  })

  it('adds the local origins in development only', () => {
    expect([...configOf({}).site.allowedOrigins]).toEqual([
      'http://localhost:3000',
      'http://localhost:5173',
      'http://localhost:5174',
    ])
    expect([...configOf(production).site.allowedOrigins]).toEqual([])
  })
})

describe('the cost of password hashing', () => {
  it.each([
    ['47104', '1'],
    ['19456', '2'],
    ['12288', '3'],
    ['9216', '4'],
    ['7168', '5'],
    ['1048576', '20'],
  ])('can be %s KiB with %s passes', (memory, passes) => {
    const { passwords } = configOf({ ...production, PASSWORD_MEMORY_KIB: memory, PASSWORD_PASSES: passes })
    expect(passwords).toEqual({
      memoryKiB: Number(memory),
      passes: Number(passes),
      concurrency: 0,
      queueMs: 5_000,
    })
    const longer = configOf({ ...production, PASSWORD_QUEUE_SECONDS: '30' })
    expect(longer.passwords.queueMs).toBe(30_000)
  })

  it('meets the OWASP minimum by default', () => {
    expect(configOf(production).passwords.memoryKiB).toBeGreaterThanOrEqual(12_288)
    expect(configOf(production).passwords.passes).toBeGreaterThanOrEqual(3)
  })

  it.each([
    ['47103', '1'],
    ['19455', '2'],
    ['12287', '3'],
    ['7167', '20'],
    ['1024', '1'],
  ])('cannot be %s KiB with %s passes, even in development', (memory, passes) => {
    const settings = { PASSWORD_MEMORY_KIB: memory, PASSWORD_PASSES: passes }
    for (const environment of [production, { NODE_ENV: 'development' }]) {
      expect(refusalOf({ ...environment, ...settings })).toContain('PASSWORD_MEMORY_KIB')
    }
  })

  it('can be low in tests', () => {
    const weak = { NODE_ENV: 'test', PASSWORD_MEMORY_KIB: '1024', PASSWORD_PASSES: '1' }
    expect(configOf(weak).passwords.memoryKiB).toBe(1024)
  })

  it.each([
    ['PASSWORD_MEMORY_KIB', '1023'],
    ['PASSWORD_MEMORY_KIB', 'much'],
    ['PASSWORD_PASSES', '0'],
    ['PASSWORD_PASSES', '1.5'],
    ['PASSWORD_CONCURRENCY', '-1'],
    ['PASSWORD_CONCURRENCY', '257'],
  ])('rejects %s=%s and names the setting', (name, value) => {
    expect(refusalOf({ NODE_ENV: 'test', [name]: value })).toContain(name)
  })
})

describe('CAPTCHA', () => {
  it('is off by default', () => {
    expect(configOf({}).captcha).toEqual({ kind: 'off' })
  })

  it('requires no keys for altcha', () => {
    expect(configOf({ CAPTCHA: 'altcha' }).captcha).toEqual({ kind: 'altcha' })
  })

  it.each(['hcaptcha', 'turnstile', 'recaptcha'])(
    'requires both keys for %s and names the missing one',
    (kind) => {
      const keys = { CAPTCHA_SITE_KEY: 'site', CAPTCHA_SECRET: 'hunter2' }
      expect(configOf({ CAPTCHA: kind, ...keys }).captcha).toEqual({
        kind,
        siteKey: 'site',
        secret: 'hunter2',
        verifyUrl: null,
      })
      for (const missing of ['CAPTCHA_SITE_KEY', 'CAPTCHA_SECRET']) {
        const refusal = refusalOf({ CAPTCHA: kind, ...keys, [missing]: '' })
        expect(refusal).toContain(missing)
        expect(refusal).not.toContain('hunter2')
      }
    },
  )

  it.each([
    ['CAPTCHA', 'on'],
    ['CAPTCHA_VERIFY_URL', 'ftp://captcha.example'],
  ])('rejects %s=%s and names the setting', (name, value) => {
    expect(refusalOf({ [name]: value })).toContain(name)
  })
})

describe('APP_ID and APP_PUBLIC_KEY', () => {
  it('have defaults', () => {
    const { appId, appPublicKey } = configOf({}).site
    expect([appId, appPublicKey]).toEqual(['app_tidings', 'pk_tidings'])
  })

  it('rejects a key with other characters than letters, digits and _', () => {
    expect(configOf({ APP_PUBLIC_KEY: 'pk_our_site_2' }).site.appPublicKey).toBe('pk_our_site_2')
    expect(refusalOf({ APP_PUBLIC_KEY: 'pk_our-site' })).toContain(
      'APP_PUBLIC_KEY: must be pk_ and letters, digits or _',
    )
  })

  it.each([
    ['APP_ID', 'tidings'],
    ['APP_ID', 'app_'],
    ['APP_ID', 'app_a b'],
    ['APP_PUBLIC_KEY', 'sk_secret'],
    ['APP_PUBLIC_KEY', 'pk_'],
    ['SMTP_URL', 'https://mail.example'],
    ['TWILIO_ACCOUNT_SID', 'AC123'],
    ['TWILIO_FROM', '555'],
    ['SMS_PRICE', '0.01'],
    ['SMS_QUIET_HOURS', '21:00'],
    ['SMS_QUIET_HOURS', '21:00-21:00'],
    ['SMS_QUIET_HOURS', '21:00-25:00'],
  ])('rejects %s=%s and names the setting', (name, value) => {
    expect(refusalOf({ [name]: value })).toContain(name)
  })
})
