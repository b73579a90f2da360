import { builtInAccount } from '@tidings/emulators/twilio/accounts'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { developmentSecrets, emulatorSecrets, isCaptchaTestSecret, weaknessOf } from './weak-secrets.ts'

const seed = 31

describe('weaknessOf', () => {
  test.each([
    developmentSecrets.siteSecret,
    developmentSecrets.editorApiKey,
    ` ${developmentSecrets.siteSecret}\n`,
    `${developmentSecrets.siteSecret}x`,
    'changeme-changeme-changeme-changeme',
    'please-change-this-before-production-9f31',
    'your_secret_key_of_at_least_32_characters',
    'replace-with-openssl-rand-hex-32-output-1',
    'a-secret-of-more-than-32-characters-0000',
    'a secret that only this measurement knows',
    'SuperSecretSuperSecretSuperSecret1',
    'password1234password1234password1234',
    '0'.repeat(64),
    '0123456789abcdef0123456789abcdef',
    'abcdefghijklmnopqrstuvwxyz0123456789',
    '9876543210987654321098765432109876543210',
    'deadbeefdeadbeefdeadbeefdeadbeefdeadbeef',
    'aaaaaaaabbbbbbbbccccccccdddddddd',
    'qwertyuiopasdfghjklzxcvbnm1234567890',
    'tdk_11111111111111111111111111111111',
    '01011010010110100101101001011010',
  ])('finds that %j is easy to guess', (secret) => {
    expect(weaknessOf(secret)).not.toBeNull()
  })

  test('finds every repeated unit of up to eight characters', () => {
    fc.assert(
      fc.property(fc.string({ minLength: 1, maxLength: 8 }), (unit) => {
        expect(weaknessOf(unit.repeat(64).slice(0, 64))).not.toBeNull()
      }),
      { seed },
    )
  })

  test.each([
    ['hexadecimal digits', '0123456789abcdef', 32],
    ['hexadecimal digits', '0123456789abcdef', 64],
    ['Base64', 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/', 32],
    ['decimal digits', '0123456789', 48],
  ])('accepts random %s', (_name, alphabet, length) => {
    const character = fc.constantFrom(...alphabet)
    fc.assert(
      fc.property(fc.array(character, { minLength: length, maxLength: length }), (characters) => {
        fc.pre(new Set(characters).size > 6)
        expect(weaknessOf(characters.join(''))).toBeNull()
      }),
      { seed, numRuns: 1_000 },
    )
  })

  test.each(['tdk_Zm9vYmFyLXJhbmRvbS1rZXktb2YtZWRpdG9ycw', 'correct horse battery staple, then a lemon'])(
    'accepts %j',
    (secret) => {
      expect(weaknessOf(secret)).toBeNull()
    },
  )
})

test('the secrets of the Twilio emulator are those that it accepts', () => {
  expect(builtInAccount).toMatchObject({
    sid: emulatorSecrets.twilioSid,
    authToken: emulatorSecrets.twilioToken,
  })
})

test.each([
  ['1x0000000000000000000000000000000AA', true],
  ['2x0000000000000000000000000000000AA', true],
  ['0x0000000000000000000000000000000000000000', true],
  ['6LeIxAcTAAAAAGG-vFI1TnRWxMZNFuojJ4WifJWe', true],
  ['0x4AAAAAAADnPIDROrmt1Wwj', false],
  ['', false],
])('the captcha secret %j is one for tests: %s', (secret, expected) => {
  expect(isCaptchaTestSecret(secret)).toBe(expected)
})
