import { describe, expect, test } from 'vitest'
import { readLoginForm } from './people.ts'

describe('readLoginForm', () => {
  test.each([
    ['ada', 'ada@example.com', true],
    ['ben', 'ben@example.com', true],
    ['cleo', 'cleo@example.com', false],
  ])('%s is a person with a known verification', (person, email, emailVerified) => {
    expect(readLoginForm(new URLSearchParams({ person }))).toMatchObject({ person: { email, emailVerified } })
  })

  test('any name and address can be entered', () => {
    const form = { person: 'other', name: ' Eve ', email: ' Eve@Example.com ', verified: 'on' }
    expect(readLoginForm(new URLSearchParams(form))).toMatchObject({
      person: { name: 'Eve', email: 'Eve@Example.com', emailVerified: true },
    })
  })

  test('an address is verified only when the form says so', () => {
    const typed = (form: Record<string, string>) =>
      readLoginForm(new URLSearchParams({ person: 'other', ...form }))
    expect(typed({ email: 'eve@example.com' })).toMatchObject({ person: { emailVerified: false } })
    expect(typed({ name: 'Eve', verified: 'on' })).toMatchObject({ person: { emailVerified: false } })
  })

  test('an address is the same person in any case and with any name', () => {
    const [one, other] = [{ email: 'ADA@example.com' }, { email: 'ada@example.com', name: 'Ada' }].map(
      (form) => readLoginForm(new URLSearchParams({ person: 'other', ...form })),
    )
    const seeded = readLoginForm(new URLSearchParams({ person: 'ada' }))
    const subjects = [one, other, seeded].map(
      (answer) => answer && 'person' in answer && answer.person?.subject,
    )
    expect(new Set(subjects).size).toBe(1)
  })

  test('a cancellation needs no other field', () => {
    expect(readLoginForm(new URLSearchParams({ answer: 'cancel' }))).toEqual({ person: null })
  })

  test.each([
    ['no person', {}],
    ['an unknown person', { person: 'constructor' }],
    ['neither name nor address', { person: 'other', name: ' ' }],
    ['an invalid address', { person: 'other', email: 'eve' }],
    ['an address that is too long', { person: 'other', email: `${'e'.repeat(65)}@example.com` }],
  ])('a form with %s is rejected', (_what, form) => {
    expect(readLoginForm(new URLSearchParams(form))).toHaveProperty('problem')
  })
})
