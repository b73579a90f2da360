import { describe, expect } from 'vitest'
import { mailTest } from '#test/fixtures.ts'
import { newPassword } from '#test/sign-in/code-flows.ts'

const it = mailTest()

// The ways in which programs copy addresses and codes are in the tests of `typed-text.ts`.
describe('an address that was pasted', () => {
  it('signs up and logs in, with the password as it was sent', async ({ flows }) => {
    const { call } = flows.members
    const email = '\u202aPat Lee <PASTED@example.com>,\u202c'
    const password = ' \u200ba-long-password\u00a0'
    const signUp = await call('POST', '/auth/signup', { body: { email, password } })
    expect(signUp.json().data.member.auth.email).toBe('pasted@example.com')
    const login = await call('POST', '/auth/login', { body: { email, password } })
    expect(login.statusCode).toBe(200)
    const trimmed = await call('POST', '/auth/login', { body: { email, password: 'a-long-password' } })
    expect(trimmed.statusCode).toBe(401)
  })
})

describe('POST /auth/reset-password', () => {
  it('takes a pasted code without an address', async ({ flows }) => {
    const email = 'unbound@example.com'
    const code = await flows.code('reset', email)
    const body = { token: `Code: ${code}.`, newPassword }
    expect((await flows.members.call('POST', '/auth/reset-password', { body })).statusCode).toBe(200)
    const login = await flows.members.call('POST', '/auth/login', { body: { email, password: newPassword } })
    expect(login.statusCode).toBe(200)
  })
})
