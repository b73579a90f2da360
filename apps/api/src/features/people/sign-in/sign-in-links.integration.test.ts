import { describe, expect } from 'vitest'
import { refusalOf } from '#test/desk.ts'
import { mailTest } from '#test/fixtures.ts'
import { cookieOf, createTestPeople, deskPathIn } from '#test/passkeys/people.ts'

const it = mailTest().extend('people', { scope: 'file' }, ({ site }) => createTestPeople(site))

const minuteMs = 60_000

describe('a link by email', () => {
  it('signs in by the button of its page, once', async ({ people, inbox, site }) => {
    const person = await people.add('writer')
    const body = { email: person.email.toUpperCase() }
    const request = await people.call('POST', '/sign-in-links', { body })
    const url = deskPathIn(await inbox.mailTo(person.email, 'signs you in'))
    const headers = { origin: people.origin }

    const page = await site.app.inject({ url })
    const signedIn = await site.app.inject({ method: 'POST', url, headers })
    const again = await site.app.inject({ method: 'POST', url, headers })

    expect(request.statusCode).toBe(202)
    expect(page.statusCode).toBe(200)
    expect(page.body).toContain('<form method="post"><button>Sign in</button></form>')
    expect(page.headers['referrer-policy']).toBe('same-origin')
    expect(signedIn.statusCode).toBe(200)
    expect(await people.you({ cookie: cookieOf(signedIn) })).toMatchObject({ id: person.id })
    expect(again.statusCode).toBe(410)
    expect(cookieOf(again)).toBe('')
  })

  it('is not used up by a mail scanner that opens it', async ({ people, inbox, site }) => {
    const person = await people.add('writer')
    await people.call('POST', '/sign-in-links', { body: { email: person.email } })
    const url = deskPathIn(await inbox.mailTo(person.email, 'signs you in'))

    const scans = [
      await site.app.inject({ url }),
      await site.app.inject({ method: 'HEAD', url }),
      await site.app.inject({ url }),
    ]
    const headers = { origin: people.origin, 'content-type': 'application/x-www-form-urlencoded' }
    const signedIn = await site.app.inject({ method: 'POST', url, headers, payload: '' })

    expect(scans.map(({ statusCode }) => statusCode)).toEqual([200, 200, 200])
    expect(signedIn.statusCode).toBe(200)
  })

  it('expires after 15 minutes', async ({ people, inbox, site }) => {
    const person = await people.add('writer')
    await people.call('POST', '/sign-in-links', { body: { email: person.email } })
    const url = deskPathIn(await inbox.mailTo(person.email, 'signs you in'))
    const start = site.clock.now()
    site.clock.moveTo(new Date(start.getTime() + 15 * minuteMs))

    const page = await site.app.inject({ url })
    const signIn = await site.app.inject({ method: 'POST', url, headers: { origin: people.origin } })

    site.clock.moveTo(start)
    expect([page.statusCode, signIn.statusCode]).toEqual([410, 410])
  })

  it('of a removed person is over', async ({ people, inbox, site }) => {
    const [owner, person] = [await people.add('owner'), await people.add('writer')]
    await people.call('POST', '/sign-in-links', { body: { email: person.email } })
    const url = deskPathIn(await inbox.mailTo(person.email, 'signs you in'))
    await people.as(owner, 'DELETE', `/people/${person.id}`)

    const page = await site.app.inject({ url })
    const signIn = await site.app.inject({ method: 'POST', url, headers: { origin: people.origin } })

    expect([page.statusCode, signIn.statusCode]).toEqual([410, 410])
    expect(cookieOf(signIn)).toBe('')
  })

  it('signs in one of two browsers at once', async ({ people, inbox, site }) => {
    const person = await people.add('writer')
    await people.call('POST', '/sign-in-links', { body: { email: person.email } })
    const url = deskPathIn(await inbox.mailTo(person.email, 'signs you in'))
    const post = () => site.app.inject({ method: 'POST', url, headers: { origin: people.origin } })

    const replies = await Promise.all([post(), post(), post()])

    expect(replies.map(({ statusCode }) => statusCode).toSorted()).toEqual([200, 410, 410])
  })

  it('is not accepted from a form of another site', async ({ people, inbox, site }) => {
    const person = await people.add('writer')
    await people.call('POST', '/sign-in-links', { body: { email: person.email } })
    const url = deskPathIn(await inbox.mailTo(person.email, 'signs you in'))

    const reply = await site.app.inject({ method: 'POST', url, headers: { origin: 'https://evil.example' } })

    expect(refusalOf(reply)).toMatchObject({ status: 403, code: 'origin-not-permitted' })
    expect((await site.app.inject({ url })).statusCode).toBe(200)
  })

  it('has the same reply and the same work for unknown addresses, and sends them nothing', async ({
    people,
    inbox,
    db,
  }) => {
    const person = await people.add('writer')
    const stranger = 'stranger@example.com'
    const known = await people.call('POST', '/sign-in-links', { body: { email: person.email } })

    const unknown = await people.call('POST', '/sign-in-links', { body: { email: stranger } })

    await inbox.mailTo(person.email, 'signs you in')
    expect([unknown.statusCode, unknown.body]).toEqual([known.statusCode, known.body])
    expect(known.json().data.message).toBe('If this address works here, a link is on its way.')
    const where = { email: { in: [person.email, stranger] } }
    expect(await db.signInLink.count({ where })).toBe(2)
    expect(await inbox.mailsTo(stranger)).toEqual([])
  })

  it('is sent a few times an hour to one address, and the reply stays the same', async ({
    people,
    site,
    inbox,
  }) => {
    site.limitCalls('deskLinks', 2)
    const person = await people.add('writer')
    const request = () => people.call('POST', '/sign-in-links', { body: { email: person.email } })

    const replies = [await request(), await request(), await request()]

    expect(replies.map(({ statusCode }) => statusCode)).toEqual([202, 202, 202])
    await inbox.mailTo(person.email, 'signs you in', 2)
    expect(await inbox.mailsTo(person.email, 'signs you in')).toHaveLength(2)
  })

  it('proves a person without a passkey only, so that a mailbox alone makes no owner', async ({
    people,
    inbox,
    site,
  }) => {
    const owner = await people.add('owner')
    await people.call('POST', '/sign-in-links', { body: { email: owner.email } })
    const url = deskPathIn(await inbox.mailTo(owner.email, 'signs you in'))
    const signedIn = await site.app.inject({ method: 'POST', url, headers: { origin: people.origin } })
    const byLink = { ...owner, cookie: cookieOf(signedIn) }

    const invite = await people.as(byLink, 'POST', '/invitations', {
      body: { email: 'friend@example.com', roles: ['owner'] },
    })
    const passkey = await people.as(byLink, 'POST', '/you/passkeys/options')

    for (const reply of [invite, passkey])
      expect(reply.json().error).toMatchObject({ code: 'proof-needed', proof: 'passkey' })
    expect((await people.prove(byLink)).statusCode).toBe(200)
  })

  it.for([{ email: 'nobody' }, {}, { email: 'a@example.com', name: 'A' }])(
    'is refused for %j',
    async (body, { people }) => {
      expect((await people.call('POST', '/sign-in-links', { body })).statusCode).toBe(400)
    },
  )

  it('is limited by network', async ({ site, people }) => {
    site.limitCalls('deskSignIns', 2)
    const request = () =>
      site.app.inject({
        method: 'POST',
        url: '/desk/v1/sign-in/options',
        remoteAddress: '192.0.2.9',
        headers: { origin: people.origin, 'x-desk': '1' },
      })
    await request()
    await request()

    expect(refusalOf(await request())).toMatchObject({ status: 429, code: 'too-many-requests' })
  })
})

describe('an invitation by email', () => {
  it('has the link, and names the inviter', async ({ people, inbox, site }) => {
    const owner = await people.add('owner')
    const body = { email: 'invited@example.com', roles: ['writer'] }

    await people.as(owner, 'POST', '/invitations', { body })

    const mail = await inbox.mailTo('invited@example.com')
    const page = await site.app.inject({ url: deskPathIn(mail) })
    expect(mail.text).toContain((await people.you(owner)).name)
    expect(page.body).toContain('Create a passkey and start')
  })
})
