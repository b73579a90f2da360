import { describe, expect } from 'vitest'
import { refusalOf } from '#test/desk.ts'
import { mailTest } from '#test/fixtures.ts'
import { cookieOf, createTestPeople, deskPathIn, signInPathIn } from '#test/passkeys/people.ts'

const it = mailTest().extend('people', { scope: 'file' }, ({ site }) => createTestPeople(site))

const minuteMs = 60_000

describe('a link by email', () => {
  it('signs in once', async ({ people, inbox }) => {
    const person = await people.add('writer')
    const body = { email: person.email.toUpperCase() }
    const request = await people.call('POST', '/sign-in-links', { body })
    const path = signInPathIn(await inbox.mailTo(person.email, 'signs you in'))

    const look = await people.call('GET', path)
    const signedIn = await people.call('POST', path)
    const again = await people.call('POST', path)

    expect(request.statusCode).toBe(202)
    expect(look.json().data).toEqual({ email: person.email })
    expect(look.headers['cache-control']).toBe('no-store')
    expect(signedIn.json().data.id).toBe(person.id)
    expect(await people.you({ cookie: cookieOf(signedIn) })).toMatchObject({ id: person.id })
    expect(refusalOf(again)).toMatchObject({ status: 410, code: 'sign-in-link-ended' })
    expect(cookieOf(again)).toBe('')
    const { data } = (await people.as(person, 'GET', `/audit?person=${person.id}`)).json()
    expect(data.map((entry: { action: string }) => entry.action)).toEqual(['person.sign-in', 'person.join'])
    expect(data[0].details).toEqual({ by: 'link', device: 'Another device' })
  })

  it('is not used up by a mail scanner that opens it', async ({ people, inbox, site }) => {
    const person = await people.add('writer')
    await people.call('POST', '/sign-in-links', { body: { email: person.email } })
    const path = signInPathIn(await inbox.mailTo(person.email, 'signs you in'))

    const scans = [
      await people.call('GET', path),
      await site.app.inject({ url: path.replace('/sign-in-links/', '/desk/sign-in/') }),
      await people.call('GET', path),
    ]
    const signedIn = await people.call('POST', path)

    expect([scans[0]?.statusCode, scans[2]?.statusCode]).toEqual([200, 200])
    expect(signedIn.statusCode).toBe(200)
  })

  it('expires after 15 minutes', async ({ people, inbox, site }) => {
    const person = await people.add('writer')
    await people.call('POST', '/sign-in-links', { body: { email: person.email } })
    const path = signInPathIn(await inbox.mailTo(person.email, 'signs you in'))
    const start = site.clock.now()
    site.clock.moveTo(new Date(start.getTime() + 15 * minuteMs))

    const look = await people.call('GET', path)
    const signIn = await people.call('POST', path)

    site.clock.moveTo(start)
    expect([look.statusCode, signIn.statusCode]).toEqual([410, 410])
  })

  it('of a removed person is over', async ({ people, inbox }) => {
    const [owner, person] = [await people.add('owner'), await people.add('writer')]
    await people.call('POST', '/sign-in-links', { body: { email: person.email } })
    const path = signInPathIn(await inbox.mailTo(person.email, 'signs you in'))
    await people.as(owner, 'DELETE', `/people/${person.id}`)

    const look = await people.call('GET', path)
    const signIn = await people.call('POST', path)

    expect([look.statusCode, signIn.statusCode]).toEqual([410, 410])
    expect(cookieOf(signIn)).toBe('')
  })

  it('signs in one of two browsers at once', async ({ people, inbox }) => {
    const person = await people.add('writer')
    await people.call('POST', '/sign-in-links', { body: { email: person.email } })
    const path = signInPathIn(await inbox.mailTo(person.email, 'signs you in'))
    const post = () => people.call('POST', path)

    const replies = await Promise.all([post(), post(), post()])

    expect(replies.map(({ statusCode }) => statusCode).toSorted()).toEqual([200, 410, 410])
  })

  it('is not accepted from a page of another site', async ({ people, inbox }) => {
    const person = await people.add('writer')
    await people.call('POST', '/sign-in-links', { body: { email: person.email } })
    const path = signInPathIn(await inbox.mailTo(person.email, 'signs you in'))

    const reply = await people.call('POST', path, { headers: { origin: 'https://evil.example' } })

    expect(refusalOf(reply)).toMatchObject({ status: 403, code: 'origin-not-permitted' })
    expect((await people.call('GET', path)).statusCode).toBe(200)
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
  }) => {
    const owner = await people.add('owner')
    await people.call('POST', '/sign-in-links', { body: { email: owner.email } })
    const path = signInPathIn(await inbox.mailTo(owner.email, 'signs you in'))
    const signedIn = await people.call('POST', path)
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
  it('has the link, and names the inviter', async ({ people, inbox }) => {
    const owner = await people.add('owner')
    const body = { email: 'invited@example.com', roles: ['writer'] }

    await people.as(owner, 'POST', '/invitations', { body })

    const mail = await inbox.mailTo('invited@example.com')
    expect(mail.text).toContain((await people.you(owner)).name)
    expect(deskPathIn(mail)).toMatch(/^\/desk\/invitation\/.+/)
  })
})
