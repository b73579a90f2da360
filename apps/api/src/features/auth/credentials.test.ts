import type { ErrorCode } from '@tidings/contracts/errors'
import { describe, expect, it, test } from 'vitest'
import { AppError } from '#platform/errors.ts'
import { isPossiblePassword, readEmail, readNewPassword, readPasswordChange } from './credentials.ts'

function codeOf(work: () => unknown): ErrorCode | null {
  try {
    work()
    return null
  } catch (error) {
    if (error instanceof AppError) return error.code
    throw error
  }
}

describe('readEmail', () => {
  it('returns the canonical spelling of an address', () => {
    expect(readEmail(' Ann@Example.com ')).toBe('ann@example.com')
  })

  test.each<[string, ErrorCode]>([
    ['', 'required-field-missing'],
    [' \t\n', 'required-field-missing'],
    ['ann', 'invalid-email'],
    ['ann@', 'invalid-email'],
    ['ann@example', 'invalid-email'],
    ['a@example.com,b@example.com', 'invalid-email'],
    ['a@example.com\r\nBcc: b@example.com', 'invalid-email'],
  ])('refuses %j with %s', (text, code) => {
    expect(codeOf(() => readEmail(text))).toBe(code)
  })

  it('refuses an endless address', () => {
    expect(codeOf(() => readEmail(`${'a'.repeat(990)}@e.com`))).toBe('invalid-email')
  })
})

describe('readNewPassword', () => {
  test.each([
    ['eight characters', 'abcdefgh'],
    ['nothing but spaces', ' '.repeat(8)],
    ['256 characters', 'p'.repeat(256)],
    ['256 characters that take four bytes each', '🔑'.repeat(256)],
    ['any script', 'пароль密码ひみつ'],
  ])('accepts %s unchanged', (_name, password) => {
    expect(readNewPassword(password)).toBe(password)
  })

  test.each<[string, string | null | undefined, ErrorCode]>([
    ['a missing password', undefined, 'required-field-missing'],
    ['null', null, 'required-field-missing'],
    ['an empty password', '', 'required-field-missing'],
    ['seven characters', 'abcdefg', 'invalid-password-too-short'],
    ['seven decomposed characters', 'e\u0301'.repeat(7), 'invalid-password-too-short'],
    ['seven surrogate pairs', '🔑'.repeat(7), 'invalid-password-too-short'],
    ['257 characters', 'p'.repeat(257), 'invalid-password'],
  ])('refuses %s', (_name, password, code) => {
    expect(codeOf(() => readNewPassword(password))).toBe(code)
  })

  it('names the missing field', () => {
    expect(() => readNewPassword('', 'newPassword')).toThrow('Enter your new password.')
  })
})

describe('readPasswordChange', () => {
  const [oldPassword, newPassword] = ['a-long-password', 'another-long-password']

  test.each([{}, { oldPassword: null, newPassword: null }, { oldPassword: '', newPassword: '' }])(
    'finds no change in %j',
    (change) => {
      expect(readPasswordChange(change)).toBeNull()
    },
  )

  it('returns both passwords', () => {
    expect(readPasswordChange({ oldPassword, newPassword })).toEqual({ oldPassword, newPassword })
  })

  test.each<[string, Parameters<typeof readPasswordChange>[0], string]>([
    ['an old password alone', { oldPassword }, 'Enter your new password.'],
    ['a new password alone', { newPassword }, 'Enter your current password.'],
    ['a short new password', { oldPassword, newPassword: 'short' }, 'Minimum 8 characters required'],
    ['a long new password', { oldPassword, newPassword: 'p'.repeat(257) }, 'at most 256 characters'],
  ])('refuses %s', (_name, change, message) => {
    expect(() => readPasswordChange(change)).toThrow(message)
  })
})

describe('isPossiblePassword', () => {
  test.each([
    ['', true],
    ['short', true],
    ['p'.repeat(256), true],
    ['e\u0301'.repeat(256), true],
    ['p'.repeat(257), false],
  ])('given %j returns %s', (password, isPossible) => {
    expect(isPossiblePassword(password)).toBe(isPossible)
  })
})
