import { describe, expect } from 'vitest'
import { refusalOf } from '#test/desk.ts'
import { siteTest } from '#test/fixtures.ts'
import { cookieOf, createTestPeople } from '#test/passkeys/people.ts'

const it = siteTest().extend('people', { scope: 'file' }, ({ site }) => createTestPeople(site))

describe('an invitation', () => {
  it('creates the person with a first passkey, which then signs in', async ({ people }) => {
    const owner = await people.add('owner')

    const reply = await people.signIn(owner)

    const you = await people.you({ cookie: cookieOf(reply) })
    expect(reply.statusCode).toBe(200)
    expect(you).toMatchObject({ id: owner.id, email: owner.email, roles: ['owner'], proof: 'passkey' })
    expect(you.passkeys).toHaveLength(1)
  })

  it('works once', async ({ people }) => {
    const token = await people.inviteWith('once@example.com', ['writer'])
    await people.join(token, 'Once')

    const reply = await people.call('GET', `/invitation-links/${token}`)

    expect(refusalOf(reply)).toMatchObject({ status: 410, code: 'invitation-ended' })
  })
})
