import { describe, expect } from 'vitest'
import { refusalOf } from '#test/desk.ts'
import { mailTest } from '#test/fixtures.ts'
import { cookieOf, createTestPeople, signInPathIn } from '#test/passkeys/people.ts'

const it = mailTest({ env: { SITE_URL: 'http://news.example.com' } }).extend(
  'people',
  { scope: 'file' },
  ({ site }) => createTestPeople(site),
)

describe('a site on plain http with a host name', () => {
  it('uses links by email only, which also prove the person', async ({ people, inbox }) => {
    const email = 'plain@example.com'
    const token = await people.inviteWith(email, ['owner'])
    const look = await people.call('GET', `/invitation-links/${token}`)
    const options = await people.call('POST', `/invitation-links/${token}/options`, { body: { name: 'P' } })
    const joined = await people.call('POST', `/invitation-links/${token}`, { body: { name: 'Plain' } })
    const signIn = await people.call('POST', '/sign-in/options')
    await people.call('POST', '/sign-in-links', { body: { email } })
    const path = signInPathIn(await inbox.mailTo(email, 'signs you in'))
    const byLink = await people.call('POST', path)
    const cookie = cookieOf(byLink)

    const invite = await people.call(
      'POST',
      '/invitations',
      { body: { email: 'other@example.com', roles: ['writer'] } },
      cookie,
    )

    expect(look.json().data.passkeys).toBe(false)
    for (const reply of [options, signIn])
      expect(refusalOf(reply)).toMatchObject({ status: 409, code: 'passkeys-unavailable' })
    expect(joined.statusCode).toBe(201)
    expect(await people.you({ cookie })).toMatchObject({ proof: 'link', passkeys: [] })
    expect(invite.statusCode).toBe(201)
  })
})
