import { describe, expect } from 'vitest'
import { mailTest } from '#test/fixtures.ts'
import { codePurposes, newPassword } from '#test/sign-in/code-flows.ts'

const it = mailTest()
const password = ' \u200ba-long-password\u00a0'

/** Ways in which programs copy an address, and a code. */
const pastedAddresses: readonly ((email: string) => string)[] = [
  (email) => `\u202a${email}\u202c`,
  (email) => `mailto:${email}`,
  (email) => `Pat Lee <${email}>,`,
  (email) => email.replace('@', '\u200b@\u2060').toUpperCase(),
  (email) => email.replace('@', '＠').replaceAll('.', '．'),
]
const pastedCodes: readonly ((code: string) => string)[] = [
  (code) => `\u2068${code.slice(0, 3)}\u2011${code.slice(3)}\u2069`,
  (code) => `Your code is ${code.slice(0, 3)} ${code.slice(3)}. It works once.`,
  (code) => code.replaceAll(/\d/g, (digit) => String.fromCodePoint(0xff10 + Number(digit))),
  (code) => code.replaceAll(/\d/g, (digit) => String.fromCodePoint(0x0660 + Number(digit))),
  (code) => `${[...code].join('\u200b')}\ufeff`,
]

describe('an address that was pasted', () => {
  it.for(pastedAddresses.map((paste, index) => ({ paste, email: `pasted-${index}@example.com` })))(
    'signs up and logs in as $email, with the password as it was sent',
    async ({ paste, email }, { flows }) => {
      const { call } = flows.members
      const signUp = await call('POST', '/auth/signup', { body: { email: paste(email), password } })
      expect(signUp.json().data.member.auth.email).toBe(email)
      const login = await call('POST', '/auth/login', { body: { email: paste(email), password } })
      expect(login.statusCode).toBe(200)
      const trimmed = await call('POST', '/auth/login', { body: { email, password: 'a-long-password' } })
      expect(trimmed.statusCode).toBe(401)
    },
  )
})

describe.for(codePurposes)('a pasted code for %s', (purpose) => {
  it.for(pastedCodes.map((paste, index) => ({ paste, email: `code-${purpose}-${index}@example.com` })))(
    'is found for $email',
    async ({ paste, email }, { flows }) => {
      const code = await flows.code(purpose, email)
      const reply = await flows.use(purpose, email, paste(code))
      expect(reply.statusCode).toBe(200)
    },
  )
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
