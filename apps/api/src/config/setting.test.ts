import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { listSettings, listSettingValues } from './setting.ts'
import { settings } from './settings.ts'

const siteSecret = 'a secret for the tests, long enough'
const names = listSettings(settings).map(({ name }) => name)

describe('listSettingValues', () => {
  it('never has the value of a secret', () => {
    const environment = Object.fromEntries(names.map((name) => [name, `value-of-${name}`]))
    const secrets = listSettingValues(settings, environment, siteSecret).filter(({ isSecret }) => isSecret)
    expect(secrets.map(({ name }) => name)).toEqual([
      'SITE_SECRET',
      'SITE_PASSWORD',
      'EDITOR_API_KEY',
      'FAILOVER_TOKEN',
      'AWS_ACCESS_KEY_ID',
      'AWS_SECRET_ACCESS_KEY',
      'AWS_SESSION_TOKEN',
      'METRICS_TOKEN',
      'CAPTCHA_SECRET',
      'GOOGLE_CLIENT_SECRET',
      'MICROSOFT_CLIENT_SECRET',
      'APPLE_PRIVATE_KEY',
      'GITHUB_CLIENT_SECRET',
      'OIDC_PROVIDERS',
      'STRIPE_SECRET_KEY',
      'STRIPE_WEBHOOK_SECRET',
      'BACKUP_PASSPHRASE',
      'DKIM_PRIVATE_KEY',
      'MAIL_WEBHOOK_SECRET',
      'TWILIO_ACCOUNT_SID',
      'TWILIO_AUTH_TOKEN',
      'VAPID_PRIVATE_KEY',
    ])
    expect(JSON.stringify(secrets)).not.toContain('value-of-')
  })

  it('has no login of an address, wherever it is', () => {
    const login = fc.stringMatching(/^[\w.%-]{4,20}$/)
    fc.assert(
      fc.property(fc.constantFrom(...names), login, login, (name, user, password) => {
        const environment = { [name]: `smtp://${user}:${password}@mail.example.com:587` }
        const [found] = listSettingValues(settings, environment, siteSecret)
        expect(found?.isSecret).toBe(true)
        expect(found?.value).toMatch(/^[0-9a-f]{12}$/)
      }),
      { seed: 7 },
    )
  })
})
