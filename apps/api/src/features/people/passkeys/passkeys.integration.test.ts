import { describe, expect } from 'vitest'
import { refusalOf } from '#test/desk.ts'
import { siteTest } from '#test/fixtures.ts'
import { createAuthenticator } from '#test/passkeys/authenticator.ts'
import { createTestPeople } from '#test/passkeys/people.ts'

const it = siteTest().extend('people', { scope: 'file' }, ({ site }) => createTestPeople(site))

const refused = { status: 403, code: 'passkey-refused' }
const minuteMs = 60_000

describe('a passkey', () => {
  it.for([
    ['of another origin', { origin: 'https://evil.example' }],
    ['of another site', { rpId: 'evil.example' }],
    ['without verification of the person', { isVerified: false }],
    ['whose counter stands still', { counter: 1 }],
    ['whose counter went back', { counter: 0 }],
  ] as const)('%s does not sign in', async ([, wrong], { people }) => {
    const person = await people.add('writer')

    const reply = await people.signIn(person, { ...people.right, ...wrong })

    expect(refusalOf(reply)).toMatchObject(refused)
    expect(reply.headers['set-cookie']).toBeUndefined()
  })

  it.for([
    ['of another origin', { origin: 'https://evil.example' }],
    ['of another site', { rpId: 'evil.example' }],
    ['without verification of the person', { isVerified: false }],
  ] as const)('%s is not added', async ([, wrong], { people }) => {
    const person = await people.add('writer')
    const challenge = await people.challengeFrom('/you/passkeys/options', undefined, person.cookie)
    const response = createAuthenticator().create(challenge, { ...people.right, ...wrong })

    const reply = await people.as(person, 'POST', '/you/passkeys', { body: { name: 'Phone', response } })

    expect(refusalOf(reply)).toMatchObject(refused)
    expect((await people.you(person)).passkeys).toHaveLength(1)
  })

  it('signs in once with a response', async ({ people }) => {
    const person = await people.add('writer')
    const challenge = await people.challengeFrom('/sign-in/options')
    const body = { response: person.authenticator.sign(challenge, people.right) }

    const replies = [
      await people.call('POST', '/sign-in', { body }),
      await people.call('POST', '/sign-in', { body }),
    ]

    expect(replies.map(({ statusCode }) => statusCode)).toEqual([200, 403])
    const { data } = (await people.as(person, 'GET', `/audit?person=${person.id}`)).json()
    const signIns = data.filter(({ action }: { action: string }) => action === 'person.sign-in')
    expect(signIns.map(({ details }: { details: object }) => details)).toEqual([
      { by: 'passkey', device: 'Another device' },
    ])
  })

  it('needs a challenge of this site, for this purpose, that has not expired', async ({ people, site }) => {
    const { authenticator, cookie } = await people.add('writer')
    const signIn = (challenge: string) =>
      people.call('POST', '/sign-in', { body: { response: authenticator.sign(challenge, people.right) } })
    const ofProof = await people.challengeFrom('/you/proof/options', undefined, cookie)
    const late = await people.challengeFrom('/sign-in/options')

    const forged = await signIn('Zm9yZ2Vk')
    const other = await signIn(ofProof)
    const start = site.clock.now()
    site.clock.moveTo(new Date(start.getTime() + 5 * minuteMs))
    const expired = await signIn(late)
    site.clock.moveTo(start)

    for (const reply of [forged, other, expired]) expect(refusalOf(reply)).toMatchObject(refused)
  })

  it('of nobody does not sign in, nor does a forged signature', async ({ people }) => {
    const [person, stranger] = [await people.add('writer'), createAuthenticator()]
    const challenge = await people.challengeFrom('/sign-in/options')
    const unknown = await people.call('POST', '/sign-in', {
      body: { response: stranger.sign(challenge, people.right) },
    })
    const second = await people.challengeFrom('/sign-in/options')
    const forged = {
      ...stranger.sign(second, people.right),
      id: person.authenticator.id,
      rawId: person.authenticator.id,
    }

    const reply = await people.call('POST', '/sign-in', { body: { response: forged } })

    expect(refusalOf(unknown)).toMatchObject(refused)
    expect(refusalOf(reply)).toMatchObject(refused)
  })

  it('can be a second one, by which the person also signs in', async ({ people }) => {
    const person = await people.add('writer')
    const second = createAuthenticator()
    const challenge = await people.challengeFrom('/you/passkeys/options', undefined, person.cookie)
    const body = { name: 'Phone', response: second.create(challenge, people.right) }

    const added = await people.as(person, 'POST', '/you/passkeys', { body })

    expect(added.statusCode).toBe(201)
    expect(added.json().data.passkeys.map(({ name }: { name: string }) => name)).toEqual([
      'First passkey',
      'Phone',
    ])
    expect((await people.signIn({ ...person, authenticator: second })).statusCode).toBe(200)
  })

  it('can be removed while there is another one', async ({ people }) => {
    const person = await people.add('writer')
    const challenge = await people.challengeFrom('/you/passkeys/options', undefined, person.cookie)
    const response = createAuthenticator().create(challenge, people.right)
    await people.as(person, 'POST', '/you/passkeys', { body: { name: 'Phone', response } })
    const [first, second] = (await people.you(person)).passkeys.map(({ id }) => id)
    const remove = (id = '') => people.as(person, 'DELETE', `/you/passkeys/${id}`)

    const removed = await remove(first)
    const again = await remove(first)
    const last = await remove(second)

    expect(removed.json().data.passkeys).toHaveLength(1)
    expect(refusalOf(again)).toMatchObject({ status: 404, code: 'passkey-not-found' })
    expect(refusalOf(last)).toMatchObject({ status: 409, code: 'last-passkey' })
    expect(refusalOf(await people.signIn(person))).toMatchObject(refused)
  })

  it('of another person cannot be removed', async ({ people }) => {
    const [person, other] = [await people.add('writer'), await people.add('writer')]
    const [foreign] = (await people.you(other)).passkeys

    const reply = await people.as(person, 'DELETE', `/you/passkeys/${foreign?.id}`)

    expect(refusalOf(reply)).toMatchObject({ status: 404, code: 'passkey-not-found' })
  })
})

describe('a proof', () => {
  it('is needed for a sensitive change ten minutes after the last one', async ({ people, site }) => {
    const owner = await people.add('owner')
    const writer = await people.add('writer')
    const body = { roles: ['editor'] }
    const change = () => people.as(owner, 'PATCH', `/people/${writer.id}`, { body })
    const start = site.clock.now()

    const inTime = await change()
    site.clock.moveTo(new Date(start.getTime() + 10 * minuteMs))
    const late = await change()
    const proof = await people.prove(owner)
    const proved = await change()
    site.clock.moveTo(start)

    expect(inTime.statusCode).toBe(200)
    expect(late.statusCode).toBe(403)
    expect(late.json().error).toEqual({
      code: 'proof-needed',
      message: 'Use your passkey once more to do this.',
      proof: 'passkey',
    })
    expect(proof.json().data.provedUntil).toBe('2026-11-20T17:20:00.000Z')
    expect(proved.statusCode).toBe(200)
  })

  it.for([
    ['POST', '/invitations', { email: 'a@example.com', roles: ['owner'] }],
    ['DELETE', '/invitations/:id', undefined],
    ['POST', '/people/:id/invitation', undefined],
    ['PATCH', '/people/:id', { roles: ['owner'] }],
    ['DELETE', '/people/:id', undefined],
    ['POST', '/keys', { name: 'script', scopes: ['read'] }],
    ['DELETE', '/keys/:id', undefined],
    ['POST', '/you/passkeys/options', undefined],
    ['DELETE', '/you/passkeys/:id', undefined],
  ] as const)('is needed for %s %s', async ([method, path, body], { people, site }) => {
    const owner = await people.add('owner')
    const start = site.clock.now()
    site.clock.moveTo(new Date(start.getTime() + 11 * minuteMs))

    const reply = await people.as(owner, method, path.replace(':id', owner.id), { body })

    site.clock.moveTo(start)
    expect(reply.json().error).toMatchObject({ code: 'proof-needed' })
  })

  it("is not given by another person's passkey, nor by a challenge of another session", async ({
    people,
  }) => {
    const [owner, other] = [await people.add('owner'), await people.add('owner')]
    const give = (challenge: string, { authenticator }: typeof owner) =>
      people.as(owner, 'POST', '/you/proof', {
        body: { response: authenticator.sign(challenge, people.right) },
      })
    const own = await people.challengeFrom('/you/proof/options', undefined, owner.cookie)
    const ofOther = await people.challengeFrom('/you/proof/options', undefined, other.cookie)

    expect(refusalOf(await give(own, other))).toMatchObject(refused)
    expect(refusalOf(await give(ofOther, owner))).toMatchObject(refused)
  })
})
