import { describe, expect } from 'vitest'
import { refusalOf } from '#test/desk.ts'
import { siteTest } from '#test/fixtures.ts'
import { readSession } from '#test/membership.ts'

const it = siteTest()

describe('POST /auth/login', () => {
  it('returns the member, a token for 14 days and the message that clients expect', async ({
    site,
    members,
  }) => {
    const { email, memberId } = await members.signUp({ email: 'ann@example.com' })
    const reply = await members.call('POST', '/auth/login', { body: { email, password: 'a-long-password' } })
    const session = readSession(reply)
    expect(reply.json()._internalUseOnly.message).toBe('You have successfully logged in.')
    expect(session.member.id).toBe(memberId)
    expect(session.member.lastLogin).toBe(site.clock.now().toISOString())
    expect(session.tokens.expires).toBe(site.clock.now().getTime() + 14 * 24 * 3600 * 1000)
    expect(reply.headers['cache-control']).toBe('no-store')
  })

  it('recognizes an address in every spelling', async ({ members }) => {
    await members.signUp({ email: 'Bea.Müller@Exämple.com' })
    for (const email of [
      'bea.müller@exämple.com',
      ' BEA.MÜLLER@EXÄMPLE.COM ',
      'bea.müller@xn--exmple-cua.com',
    ]) {
      expect((await members.logIn({ email })).member.auth.email).toBe('bea.müller@xn--exmple-cua.com')
    }
  })

  it('refuses a wrong password and an unknown address alike', async ({ members }) => {
    await members.signUp({ email: 'cy@example.com' })
    const replies = await Promise.all(
      ['cy@example.com', 'unknown@example.com'].map((email) =>
        members.call('POST', '/auth/login', { body: { email, password: 'wrong-password' } }),
      ),
    )
    expect(new Set(replies.map((reply) => `${reply.statusCode} ${reply.body}`)).size).toBe(1)
    expect(refusalOf(replies[0] ?? fail())).toMatchObject({ status: 401, code: 'invalid-credentials' })
  })
})

function fail(): never {
  throw new Error('There is no reply')
}
