import { createECDH } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { configOf, databaseUrl, production, refusalOf } from '#test/test-config.ts'

describe('EDITION_SLOTS', () => {
  it.each([
    ['10AM=10:00', [{ label: '10AM', minutes: 600 }]],
    ['x=0:00', [{ label: 'x', minutes: 0 }]],
    ['LATE=23:59', [{ label: 'LATE', minutes: 1439 }]],
    [
      '8PM=20:00,10AM=10:00,3PM=15:00',
      [
        { label: '10AM', minutes: 600 },
        { label: '3PM', minutes: 900 },
        { label: '8PM', minutes: 1200 },
      ],
    ],
    [
      ' noon = 12:00 , dawn = 05:30 ',
      [
        { label: 'dawn', minutes: 330 },
        { label: 'noon', minutes: 720 },
      ],
    ],
  ])('parses %j, ordered by time', (text, slots) => {
    expect(configOf({ DATABASE_URL: databaseUrl, EDITION_SLOTS: text }).site.slots).toEqual(slots)
  })

  it.each([
    '10AM',
    '10AM=',
    '=10:00',
    '10AM=24:00',
    '10AM=10:60',
    '10AM=10',
    '10-AM=10:00',
    '10 AM=10:00',
    'ABCDEFGHIJKLM=10:00',
    '10AM=10:00,',
    '10AM=10:00;3PM=15:00',
    '10AM=10:00,10AM=11:00',
    '10AM=-1:00',
  ])('rejects %j and names the setting', (text) => {
    expect(refusalOf({ DATABASE_URL: databaseUrl, EDITION_SLOTS: text })).toContain('EDITION_SLOTS')
  })
})

describe('readConfig', () => {
  it('requires only a database in development', () => {
    const config = configOf({ DATABASE_URL: databaseUrl })
    expect(config.environment).toBe('development')
    expect(config.http).toMatchObject({
      port: 3000,
      host: '127.0.0.1',
      trustProxy: false,
      requestTimeoutMs: 30_000,
    })
    expect(config.site.url.origin).toBe('http://localhost:3000')
    expect(config.site.timeZone).toBe('America/Los_Angeles')
    expect(config.site.slots.map(({ label }) => label)).toEqual(['10AM', '3PM', '8PM'])
    expect(config.secrets.sitePassword).toBe('tidings')
    expect(config.gate.on).toBe(true)
  })

  it('reads the quiet hours and the price of texts', () => {
    const { sms } = configOf({ DATABASE_URL: databaseUrl, SMS_PRICE: '0.01 EUR' })
    expect(sms).toMatchObject({
      account: null,
      quietHours: { from: 1260, until: 480 },
      price: { amount: 0.01, currency: 'EUR' },
    })
    expect(configOf({ DATABASE_URL: databaseUrl, SMS_QUIET_HOURS: 'off' }).sms.quietHours).toBeNull()
  })

  it('requires both keys of notifications, of one pair, and names a contact to push services', () => {
    const [keys, others] = [vapidKeysOf(Buffer.alloc(32, 1)), vapidKeysOf(Buffer.alloc(32, 2))]
    const { VAPID_PUBLIC_KEY: publicKey, VAPID_PRIVATE_KEY: privateKey } = keys
    expect(configOf(production).push.vapid).toBeNull()
    const subject = 'https://news.example.com'
    expect(configOf({ ...production, ...keys }).push.vapid).toEqual({ publicKey, privateKey, subject })
    expect(configOf({ ...keys, ...production, PUSH_TIMEOUT_SECONDS: '60' }).push.timeoutMs).toBe(60_000)
    const contact = { CONTACT_EMAIL: 'desk@example.com' }
    const development = configOf({ DATABASE_URL: databaseUrl, ...keys, ...contact })
    expect(development.push.vapid?.subject).toBe('mailto:desk@example.com')
    for (const wrong of [
      { VAPID_PUBLIC_KEY: publicKey },
      { VAPID_PRIVATE_KEY: privateKey },
      { ...keys, VAPID_PUBLIC_KEY: others.VAPID_PUBLIC_KEY },
      { ...keys, VAPID_PRIVATE_KEY: 'nonsense' },
    ]) {
      expect(refusalOf({ ...production, ...wrong })).toContain('VAPID_PUBLIC_KEY and VAPID_PRIVATE_KEY')
    }
    expect(refusalOf({ ...production, VAPID_SUBJECT: 'desk' })).toContain('VAPID_SUBJECT')
  })

  it('reads a private key of notifications without its leading zeros', () => {
    const env = { ...production, ...vapidKeysOf(Buffer.alloc(31, 1)) }
    expect(configOf(env).push.vapid?.privateKey).toBe(
      Buffer.concat([Buffer.alloc(1), Buffer.alloc(31, 1)]).toString('base64url'),
    )
  })

  it('requires the token and the sender of a Twilio account', () => {
    const env = { DATABASE_URL: databaseUrl, TWILIO_ACCOUNT_SID: `AC${'1'.repeat(32)}` }
    expect(refusalOf(env)).toContain('TWILIO_AUTH_TOKEN and TWILIO_FROM')
  })

  it('treats an empty value as unset, except for the site password', () => {
    const config = configOf({ DATABASE_URL: databaseUrl, SITE_NAME: '', PORT: '', SITE_PASSWORD: '' })
    expect(config.site.name).toBe('Tidings')
    expect(config.http.port).toBe(3000)
    expect(config.secrets.sitePassword).toBe('')
  })

  it('listens on all interfaces in production', () => {
    expect(configOf(production).http.host).toBe('0.0.0.0')
  })

  it("allows only the site's origin in production", () => {
    expect([...configOf(production).site.origins]).toEqual(['https://news.example.com'])
  })

  it('allows the numeric address and the dev server in development', () => {
    expect([...configOf({ DATABASE_URL: databaseUrl, PORT: '4000' }).site.origins].toSorted()).toEqual([
      'http://127.0.0.1:4000',
      'http://127.0.0.1:5173',
      'http://localhost:4000',
      'http://localhost:5173',
    ])
  })

  it.each(['SITE_URL', 'SITE_SECRET', 'SITE_PASSWORD', 'DATABASE_URL'])(
    'requires %s in production and names it',
    (name) => {
      expect(refusalOf({ ...production, [name]: undefined })).toContain(name)
    },
  )

  it.each([
    ['NODE_ENV', 'staging'],
    ['PORT', '65536'],
    ['PORT', '-1'],
    ['PORT', 'http'],
    ['SITE_URL', 'news.example.com'],
    ['SITE_URL', 'ftp://news.example.com'],
    ['SITE_URL', 'javascript:alert(1)'],
    ['SITE_GATE', 'true'],
    ['SITE_SECRET', 'too short'],
    ['SITE_TIME_ZONE', 'Mars/Olympus_Mons'],
    ['WORKER_METRICS_PORT', 'on'],
    ['EDITION_SLOTS', '10AM'],
    ['DATABASE_CONNECTIONS', '1'],
    ['TRUST_PROXY', 'yes'],
    ['TRUST_PROXY', '10.0.0.0/33'],
    ['TRUST_PROXY', '10.0.0.1, proxy.example.com'],
    ['TAG_MANAGER_ID', "GTM-1');alert(1)//"],
    ['TAG_MANAGER_ID', 'UA-12345'],
    ['PUBLISH_LATENESS_MINUTES', '0'],
    ['PUBLISH_LATENESS_MINUTES', '1.5'],
    ['PHONE_REGION', 'usa'],
    ['PHONE_REGION', 'UK'],
    ['SMS_COUNTRIES', 'US,UK'],
    ['SMS_COUNTRIES', 'US;CA'],
    ['SMS_COUNTRIES', '+1'],
    ['SMS_COUNTRIES', 'Germany'],
    ['SMS_COUNTRIES', '001'],
    ['SMS_DAILY_CAP', '-1'],
    ['SMS_DAILY_CODES_PER_NUMBER', '0'],
    ['CONTACT_EMAIL', 'nobody'],
    ['SITE_LANGUAGE', 'english'.repeat(2)],
    ['SITE_LANGUAGE', 'en_US'],
    ['LOG_LEVEL', 'loud'],
    ['API_JOBS', '1'],
    ['DELIVERY_SUBJECT', '{headline}'],
    ['DELIVERY_SUBJECT', '{title}, and {more} more'],
    ['RATE_GATE_TRIES_PER_MINUTE', '0'],
  ])('rejects %s=%s and names the setting', (name, value) => {
    expect(refusalOf({ DATABASE_URL: databaseUrl, [name]: value })).toContain(name)
  })

  it('texts the countries of SMS_COUNTRIES, or that of PHONE_REGION', () => {
    const countriesOf = (env: Record<string, string>) =>
      configOf({ DATABASE_URL: databaseUrl, ...env }).sms.countries
    expect(countriesOf({})).toEqual(['US'])
    expect(countriesOf({ PHONE_REGION: 'DE' })).toEqual(['DE'])
    expect(countriesOf({ PHONE_REGION: 'DE', SMS_COUNTRIES: ' at, DE ,,at' })).toEqual(['AT', 'DE'])
    const refusal = refusalOf({ DATABASE_URL: databaseUrl, SMS_COUNTRIES: 'US,UK' })
    expect(refusal).toContain("SMS_COUNTRIES: 'UK' is not the code of a country, such as US or GB")
  })

  it('says what SITE_LANGUAGE must be, and defaults to en', () => {
    const refusal = refusalOf({ DATABASE_URL: databaseUrl, SITE_LANGUAGE: 'Klingon please' })
    expect(refusal).toContain('SITE_LANGUAGE: must be a BCP 47 language tag, such as en, ar or pt-BR')
    expect(configOf({ DATABASE_URL: databaseUrl }).site.language).toBe('en')
    expect(configOf({ DATABASE_URL: databaseUrl, SITE_LANGUAGE: 'pt-br' }).site.language).toBe('pt-BR')
  })

  it.each([
    ['off', false],
    ['on', true],
    ['2', 2],
    ['loopback', ['loopback']],
    ['10.0.0.0/8, 192.168.1.1', ['10.0.0.0/8', '192.168.1.1']],
    ['fd00::/8', ['fd00::/8']],
  ])('parses TRUST_PROXY=%s', (text, trusted) => {
    expect(configOf({ DATABASE_URL: databaseUrl, TRUST_PROXY: text }).http.trustProxy).toEqual(trusted)
  })
})

function vapidKeysOf(privateKey: Buffer) {
  const keyPair = createECDH('prime256v1')
  keyPair.setPrivateKey(privateKey)
  return {
    VAPID_PUBLIC_KEY: keyPair.getPublicKey('base64url'),
    VAPID_PRIVATE_KEY: privateKey.toString('base64url'),
  }
}
