import { describe, expect } from 'vitest'
import { refusalOf } from '#test/desk.ts'
import { siteTest } from '#test/fixtures.ts'
import { createAuthenticator } from '#test/passkeys/authenticator.ts'
import { cookieOf, createTestPeople } from '#test/passkeys/people.ts'

const it = siteTest().extend('people', { scope: 'file' }, ({ site }) => createTestPeople(site))

const ended = { status: 410, code: 'invitation-ended' }
const dayMs = 24 * 3_600_000

describe('an invitation', () => {
  it('creates the person with a first passkey, which then signs in', async ({ people }) => {
    const owner = await people.add('owner')

    const reply = await people.signIn(owner)

    const you = await people.you({ cookie: cookieOf(reply) })
    expect(reply.statusCode).toBe(200)
    expect(you).toMatchObject({ id: owner.id, email: owner.email, roles: ['owner'], proof: 'passkey' })
    expect(you.passkeys).toHaveLength(1)
  })

  it('shows its inviter, roles, address and end, and is not used up by that', async ({ people, site }) => {
    const owner = await people.add('owner')
    const body = { email: 'New@Example.com', roles: ['writer', 'moderator'] }
    const invitation = (await people.as(owner, 'POST', '/invitations', { body })).json().data
    const token = site.context.invitations.links.urlOf(invitation.id).split('/').at(-1) ?? ''

    const looks = [1, 2].map(() => people.call('GET', `/invitation-links/${token}`))

    for (const reply of await Promise.all(looks)) {
      expect(reply.json().data).toEqual({
        email: 'new@example.com',
        roles: ['writer', 'moderator'],
        invitedBy: (await people.you(owner)).name,
        expiresAt: '2026-11-27T17:00:00.000Z',
        name: null,
        passkeys: true,
        endsLogins: false,
      })
    }
    expect((await people.join(token, 'New')).email).toBe('new@example.com')
  })

  it('works once, also for someone who stole it', async ({ people }) => {
    const token = await people.inviteWith('once@example.com', ['writer'])
    await people.join(token, 'Once')

    const look = await people.call('GET', `/invitation-links/${token}`)
    const options = await people.call('POST', `/invitation-links/${token}/options`, {
      body: { name: 'Thief' },
    })
    const acceptance = await people.call('POST', `/invitation-links/${token}`, { body: { name: 'Thief' } })

    for (const reply of [look, options, acceptance]) expect(refusalOf(reply)).toMatchObject(ended)
  })

  it('is accepted by one of two people at once', async ({ people, db }) => {
    const email = 'race@example.com'
    const token = await people.inviteWith(email, ['writer'])
    const path = `/invitation-links/${token}`
    const bodies = await Promise.all(
      ['One', 'Two'].map(async (name) => {
        const challenge = await people.challengeFrom(`${path}/options`, { name })
        return { name, response: createAuthenticator().create(challenge, people.right) }
      }),
    )

    const replies = await Promise.all(bodies.map((body) => people.call('POST', path, { body })))

    expect(replies.map(({ statusCode }) => statusCode).toSorted()).toEqual([201, 410])
    const person = await db.person.findUnique({
      where: { email },
      include: { passkeys: true, sessions: true },
    })
    expect(person?.passkeys).toHaveLength(1)
    expect(person?.sessions).toHaveLength(1)
  })

  it('expires after seven days', async ({ people, site }) => {
    const token = await people.inviteWith('late@example.com', ['writer'])
    const { clock } = site
    const start = clock.now()
    clock.moveTo(new Date(start.getTime() + 7 * dayMs))

    const reply = await people.call('GET', `/invitation-links/${token}`)

    clock.moveTo(start)
    expect(refusalOf(reply)).toMatchObject(ended)
    expect((await people.call('GET', `/invitation-links/${token}`)).statusCode).toBe(200)
  })

  it('says whom to ask once it has ended', async ({ people, site }) => {
    const owner = await people.add('owner')
    const body = { email: 'ask@example.com', roles: ['writer'] }
    const { id } = (await people.as(owner, 'POST', '/invitations', { body })).json().data
    await people.as(owner, 'DELETE', `/invitations/${id}`)
    const token = site.context.invitations.links.urlOf(id).split('/').at(-1) ?? ''

    const reply = refusalOf(await people.call('GET', `/invitation-links/${token}`))

    const { name } = await people.you(owner)
    expect(reply).toEqual({ ...ended, message: `This invitation has ended. Ask ${name} for a new one.` })
  })

  it('is replaced by a later one to the same address', async ({ people }) => {
    const first = await people.inviteWith('twice@example.com', ['owner'])
    const second = await people.inviteWith('twice@example.com', ['writer'])

    expect(refusalOf(await people.call('GET', `/invitation-links/${first}`))).toMatchObject(ended)
    expect((await people.call('GET', `/invitation-links/${second}`)).json().data.roles).toEqual(['writer'])
  })

  it('ends with the owner who made it', async ({ people, site }) => {
    const [owner, other] = [await people.add('owner'), await people.add('owner')]
    const body = { email: 'friend@example.com', roles: ['owner'] }
    const { id } = (await people.as(owner, 'POST', '/invitations', { body })).json().data
    const token = site.context.invitations.links.urlOf(id).split('/').at(-1) ?? ''

    await people.as(other, 'DELETE', `/people/${owner.id}`)

    expect(refusalOf(await people.call('GET', `/invitation-links/${token}`))).toMatchObject(ended)
  })

  it.for(['x', `${'0'.repeat(36)}.x`, '0193a000-0000-7000-8000-000000000000.c2lnbmF0dXJl'])(
    'with the forged token %s is unknown',
    async (token, { people }) => {
      expect(refusalOf(await people.call('GET', `/invitation-links/${token}`))).toMatchObject(ended)
    },
  )

  it('stays open after a refused passkey', async ({ people }) => {
    const token = await people.inviteWith('retry@example.com', ['writer'])
    const wrong = { ...people.right, origin: 'https://evil.example' }

    const refused = await people.accept(token, 'Retry', createAuthenticator(), wrong)
    const accepted = await people.accept(token, 'Retry')

    expect(refusalOf(refused)).toMatchObject({ status: 403, code: 'passkey-refused' })
    expect(accepted.statusCode).toBe(201)
  })

  it('keeps people out who have lost their passkeys until it is accepted, and then ends the old ones', async ({
    people,
    site,
  }) => {
    const [owner, writer] = [await people.add('owner'), await people.add('writer')]
    const reply = await people.as(owner, 'POST', `/people/${writer.id}/invitation`)
    const token = site.context.invitations.links.urlOf(reply.json().data.id).split('/').at(-1) ?? ''
    expect((await people.as(writer, 'GET', '/you')).statusCode).toBe(200)

    const again = await people.join(token, 'Writer again')

    const oldSession = await people.as(writer, 'GET', '/you')
    const oldPasskey = await people.signIn(writer)
    expect(again.id).toBe(writer.id)
    expect(await people.you(again)).toMatchObject({ name: 'Writer again', roles: ['writer'] })
    expect(refusalOf(oldSession)).toMatchObject({ status: 401, code: 'session-ended' })
    expect(refusalOf(oldPasskey)).toMatchObject({ status: 403, code: 'passkey-refused' })
  })

  it('adds its roles to those of a person who works here', async ({ people }) => {
    const writer = await people.add('writer')

    const again = await people.join(await people.inviteWith(writer.email, ['moderator']), 'Both')

    expect((await people.you(again)).roles).toEqual(['writer', 'moderator'])
  })

  it('is listed for owners while it is open, and has audit entries without addresses', async ({
    people,
    desk,
  }) => {
    const owner = await people.add('owner')
    const body = { email: 'listed@example.com', roles: ['editor'] }
    const { id } = (await people.as(owner, 'POST', '/invitations', { body })).json().data

    const open = (await people.as(owner, 'GET', '/invitations')).json().data
    await people.as(owner, 'DELETE', `/invitations/${id}`)
    const then = (await people.as(owner, 'GET', '/invitations')).json().data

    const idsOf = (list: { id: string }[]) => list.map((each) => each.id)
    expect(idsOf(open)).toContain(id)
    expect(idsOf(then)).not.toContain(id)
    const lines = await desk.auditOf(id)
    expect(lines.map(({ action }) => action)).toEqual(['person.invite', 'invitation.withdraw'])
    expect(lines[0]).toMatchObject({ personId: owner.id, details: { roles: ['editor'] } })
    expect(JSON.stringify(lines)).not.toContain('@')
  })

  it('gives the link of a new person to the owner, stores it nowhere, and keeps that of a known one', async ({
    people,
    db,
    desk,
  }) => {
    const [owner, writer] = [await people.add('owner'), await people.add('writer')]
    const body = { email: 'hand-over@example.com', roles: ['writer'] }
    const headers = { 'idempotency-key': 'invitation-1' }
    const invite = () => people.as(owner, 'POST', '/invitations', { body, headers })

    const made = (await invite()).json().data
    const repeated = (await invite()).json().data
    const recovery = (await people.as(owner, 'POST', `/people/${writer.id}/invitation`)).json().data

    expect(repeated).toEqual(made)
    const known = { email: writer.email, roles: ['writer'] }
    expect((await people.as(owner, 'POST', '/invitations', { body: known })).json().data.link).toBeNull()
    expect(recovery.link).toBeNull()
    const token = made.link.split('/desk/invitation/')[1] ?? ''
    const kept = [
      await db.idempotencyRecord.findMany({ where: { editorId: owner.id } }),
      (await people.as(owner, 'GET', '/invitations')).json(),
      await desk.auditOf(made.id),
    ]
    expect(JSON.stringify(kept)).not.toContain('/desk/invitation/')
    expect((await people.join(token, 'Handed over')).email).toBe('hand-over@example.com')
  })

  it('says that other passkeys and sessions end, only to a person who has some', async ({ people, site }) => {
    await site.context.people.seed({ email: 'seeded@example.com', name: 'Seeded', roles: ['owner'] })
    const writer = await people.add('writer')
    const lookFor = async (email: string) => {
      const token = await people.inviteWith(email, ['writer'])
      return (await people.call('GET', `/invitation-links/${token}`)).json().data
    }

    const looks = [await lookFor('fresh@example.com'), await lookFor('seeded@example.com')]
    const known = await lookFor(writer.email)

    expect(looks).toMatchObject([
      { name: null, endsLogins: false },
      { name: 'Seeded', endsLogins: false },
    ])
    expect(known.endsLogins).toBe(true)
  })

  it('is refused for what is no address, no role or no open invitation', async ({ people }) => {
    const owner = await people.add('owner')
    const invite = (body: object) => people.as(owner, 'POST', '/invitations', { body })

    const replies = await Promise.all([
      invite({ email: 'nobody', roles: ['writer'] }),
      invite({ email: 'a@example.com', roles: [] }),
      invite({ email: 'a@example.com', roles: ['king'] }),
      invite({ email: 'a@example.com', roles: ['writer', 'writer'] }),
      people.as(owner, 'DELETE', '/invitations/0193a000-0000-7000-8000-000000000000'),
    ])

    expect(replies.map(({ statusCode }) => statusCode)).toEqual([400, 400, 400, 400, 404])
  })
})
