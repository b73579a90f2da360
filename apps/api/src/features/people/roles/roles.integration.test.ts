import { deskPerson } from '@tidings/contracts/desk/people/people'
import { dataOf } from '@tidings/contracts/envelope'
import { describe, expect } from 'vitest'
import { z } from 'zod'
import { refusalOf } from '#test/desk.ts'
import { siteTest } from '#test/fixtures.ts'
import { createTestPeople } from '#test/passkeys/people.ts'
import { useTestApp } from '#test/test-app.ts'

const it = siteTest().extend('people', { scope: 'file' }, ({ site }) => createTestPeople(site))

const lastOwner = { status: 409, code: 'last-owner', message: 'Make someone else owner first.' }
const unknown = '0193a000-0000-7000-8000-000000000000'

/** Returns a site of its own, for tests about its only owners. */
async function ownSite() {
  return createTestPeople(await useTestApp({ working: false }))
}

describe('roles', () => {
  it('change at once, with an audit entry', async ({ people, desk }) => {
    const [owner, writer] = [await people.add('owner'), await people.add('writer')]
    const { key } = await desk.newDraft(['First'])

    const reply = await people.as(owner, 'PATCH', `/people/${writer.id}`, { body: { roles: ['editor'] } })

    expect(reply.json().data).toMatchObject({ id: writer.id, roles: ['editor'] })
    expect((await people.as(writer, 'POST', `/editions/${key}/publish`)).statusCode).toBe(200)
    expect((await desk.auditOf(writer.id)).at(-1)).toMatchObject({
      action: 'person.change',
      personId: owner.id,
      details: { from: ['writer'], to: ['editor'] },
    })
  })

  it('of the last owner stay', async () => {
    const people = await ownSite()
    const [owner, writer] = [await people.add('owner'), await people.add('writer')]

    const change = await people.as(owner, 'PATCH', `/people/${owner.id}`, { body: { roles: ['writer'] } })
    const removal = await people.as(owner, 'DELETE', `/people/${owner.id}`)
    await people.as(owner, 'PATCH', `/people/${writer.id}`, { body: { roles: ['owner'] } })
    const then = await people.as(owner, 'PATCH', `/people/${owner.id}`, { body: { roles: ['writer'] } })

    expect(refusalOf(change)).toEqual(lastOwner)
    expect(refusalOf(removal)).toEqual(lastOwner)
    expect(then.json().data.roles).toEqual(['writer'])
  })

  it('leave one owner when two give up their role, or remove each other, at once', async () => {
    const people = await ownSite()
    const [one, two] = [await people.add('owner'), await people.add('owner')]
    const body = { roles: ['writer'] }

    const left = await Promise.all(
      [one, two].map((each) => people.as(each, 'PATCH', `/people/${each.id}`, { body })),
    )

    expect(left.map(({ statusCode }) => statusCode).toSorted()).toEqual([200, 409])
    const [three, four] = [await people.add('owner'), await people.add('owner')]
    const removals = await Promise.all([
      people.as(three, 'DELETE', `/people/${four.id}`),
      people.as(four, 'DELETE', `/people/${three.id}`),
    ])
    expect(removals.filter(({ statusCode }) => statusCode === 200)).toHaveLength(1)
  })

  it.for([[[]], [['king']], [['writer', 'writer']]])('rejects the roles %j', async ([roles], { people }) => {
    const owner = await people.add('owner')

    const reply = await people.as(owner, 'PATCH', `/people/${owner.id}`, { body: { roles } })

    expect(refusalOf(reply)).toMatchObject({ status: 400, code: 'invalid-request' })
  })

  it('that are missing are named, and a writer who would publish is told what to do instead', async ({
    people,
    desk,
  }) => {
    const [writer, moderator] = [await people.add('writer'), await people.add('moderator')]
    const { key } = await desk.newDraft(['A'])
    const publish = `/editions/${key}/publish`
    const body = { name: 'Robin' }

    const refusals = [
      await people.as(writer, 'POST', publish),
      await people.as(writer, 'POST', '/members/search', { body }),
      await people.as(moderator, 'POST', publish),
    ].map(refusalOf)

    const needsEditor = 'This needs the role editor or owner. Ask an owner of this site.'
    expect(refusals.map(({ code }) => code)).toEqual(['role-missing', 'role-missing', 'role-missing'])
    expect(refusals.map(({ message }) => message)).toEqual([
      'Writers don’t publish. Mark the memos as ready.',
      needsEditor,
      needsEditor,
    ])
  })

  it('of nobody are 404', async ({ people }) => {
    const owner = await people.add('owner')
    const replies = await Promise.all([
      people.as(owner, 'PATCH', `/people/${unknown}`, { body: { roles: ['writer'] } }),
      people.as(owner, 'DELETE', `/people/${unknown}`),
      people.as(owner, 'POST', `/people/${unknown}/invitation`),
    ])

    for (const reply of replies)
      expect(refusalOf(reply)).toMatchObject({ status: 404, code: 'person-not-found' })
  })
})

describe('a removed person', () => {
  it('is signed out at once, cannot sign in, and stays in the audit log', async ({ people, desk }) => {
    const [owner, editor] = [await people.add('owner'), await people.add('editor')]
    const { key } = await desk.newDraft(['First'])
    await people.as(editor, 'POST', `/editions/${key}/publish`)
    const { name } = await people.you(editor)

    const removal = await people.as(owner, 'DELETE', `/people/${editor.id}`)

    const save = await people.as(editor, 'GET', '/editions')
    expect(removal.statusCode).toBe(200)
    expect(refusalOf(save)).toMatchObject({ status: 401, code: 'session-ended' })
    expect(refusalOf(await people.signIn(editor))).toMatchObject({ status: 403, code: 'passkey-refused' })
    expect((await desk.auditOf(key)).at(-1)).toMatchObject({ editor: name, personId: editor.id })
    expect((await desk.auditOf(editor.id)).at(-1)).toMatchObject({
      action: 'person.remove',
      editor: (await people.you(owner)).name,
    })
  })

  it('is taken back by a new invitation, with its roles alone', async ({ people }) => {
    const [owner, editor] = [await people.add('owner'), await people.add('editor')]
    await people.as(owner, 'DELETE', `/people/${editor.id}`)

    const back = await people.join(await people.inviteWith(editor.email, ['writer']), 'Back')

    expect(back.id).toBe(editor.id)
    expect((await people.you(back)).roles).toEqual(['writer'])
  })

  it('has no open invitation left', async ({ people }) => {
    const [owner, editor] = [await people.add('owner'), await people.add('editor')]
    const token = await people.inviteWith(editor.email, ['owner'])
    await people.as(owner, 'DELETE', `/people/${editor.id}`)

    const reply = await people.call('GET', `/invitation-links/${token}`)

    expect(refusalOf(reply)).toMatchObject({ status: 410, code: 'invitation-ended' })
  })
})

describe('the list of people', () => {
  it('shows addresses, passkeys and the last time here to owners only', async ({ people }) => {
    const [owner, writer] = [await people.add('owner'), await people.add('writer')]
    const find = async (as: typeof owner) => {
      const reply = await people.as(as, 'GET', '/people')
      const list = dataOf(z.array(deskPerson)).parse(reply.json()).data
      return list.find(({ id }) => id === writer.id)
    }

    expect(await find(writer)).toEqual({
      id: writer.id,
      name: expect.any(String),
      roles: ['writer'],
      email: null,
    })
    expect(await find(owner)).toMatchObject({ email: writer.email, lastSeenAt: expect.any(String) })
    expect((await find(owner))?.passkeys).toBeTypeOf('number')
  })
})

describe('one’s own name', () => {
  it('changes with an entry in the audit log, once, and none for the same name or a zone', async ({
    people,
    desk,
  }) => {
    const writer = await people.add('writer')
    const { name: from } = await people.you(writer)
    const change = async (body: object) =>
      (
        await people.as(writer, 'PATCH', '/you', {
          body,
          headers: { 'idempotency-key': JSON.stringify(body) },
        })
      ).statusCode

    const bodies = [{ name: 'Grace' }, { name: 'Grace' }, { timeZone: 'Europe/Paris' }, { name: '' }]
    const statuses = []
    for (const body of bodies) statuses.push(await change(body))

    expect(statuses).toEqual([200, 200, 200, 400])
    expect(await people.you(writer)).toMatchObject({ name: 'Grace', timeZone: 'Europe/Paris' })
    const renames = (await desk.auditOf(writer.id)).filter(({ action }) => action === 'person.rename')
    expect(renames).toMatchObject([{ personId: writer.id, details: { from, to: 'Grace' } }])
  })
})

describe('the audit log', () => {
  it('is filtered by person', async ({ people, desk }) => {
    const [one, two] = [await people.add('editor'), await people.add('editor')]
    const { key } = await desk.newDraft(['First'])
    await people.as(one, 'POST', `/editions/${key}/publish`)
    await people.as(two, 'PUT', `/editions/${key}`, {
      body: { status: 'draft' },
      headers: { 'if-match': `"${(await desk.read(key)).version}"` },
    })

    const lines = (await people.as(two, 'GET', `/audit?person=${one.id}`)).json().data
    const both = (await people.as(two, 'GET', `/audit?person=${two.id}&subject=${key}`)).json().data

    const actionsOf = (list: { action: string }[]) => list.map(({ action }) => action)
    expect(actionsOf(lines)).toEqual(['edition.publish', 'person.join'])
    expect(actionsOf(both)).toEqual(['edition.withdraw'])
    expect((await people.as(two, 'GET', '/audit?person=x')).statusCode).toBe(400)
  })
})

describe('editor keys', () => {
  it('are made by owners, shown once, listed without secrets, and revoked at once', async ({
    people,
    desk,
  }) => {
    const owner = await people.add('owner')
    const body = { name: 'import', scopes: ['read', 'write'] }
    const made = await people.as(owner, 'POST', '/keys', { body, headers: { 'idempotency-key': 'key-1' } })
    const { id, secret } = made.json().data
    const as = `Bearer ${secret}`
    const works = await desk.call('GET', '/editions', { as })

    const list = await people.as(owner, 'GET', '/keys')
    const revoked = await people.as(owner, 'DELETE', `/keys/${id}`)
    const again = await people.as(owner, 'DELETE', `/keys/${id}`)

    expect(made.statusCode).toBe(201)
    expect(secret).toMatch(/^tdk_\w{40}$/)
    expect(works.statusCode).toBe(200)
    expect(list.body).toContain(id)
    expect(list.body).not.toContain(secret)
    expect(revoked.json().data).toMatchObject({ id, name: 'import', scopes: ['read', 'write'] })
    expect(refusalOf(again)).toMatchObject({ status: 404, code: 'key-not-found' })
    expect((await desk.call('GET', '/editions', { as })).statusCode).toBe(401)
    const lines = await desk.auditOf(id)
    expect(lines.map(({ action }) => action)).toEqual(['key.make', 'key.revoke'])
    expect(JSON.stringify(lines)).not.toContain(secret)
  })

  it('are never stored in the reply of an Idempotency-Key', async ({ people, db }) => {
    const owner = await people.add('owner')
    const body = { name: 'kept', scopes: ['read'] }
    const headers = { 'idempotency-key': 'key-2' }

    const made = await people.as(owner, 'POST', '/keys', { body, headers })

    const records = await db.idempotencyRecord.findMany({ where: { editorId: owner.id } })
    expect(made.statusCode).toBe(201)
    expect(JSON.stringify(records)).not.toContain(made.json().data.secret)
  })

  it('that are revoked and go on saving get 401, never 429, and lock out nobody', async ({ site, desk }) => {
    site.limitCalls('deskFailures', 3)
    const [stale, valid] = [await desk.keyWith('write'), await desk.keyWith('read')]
    await site.context.editorKeys.revoke(stale.name)

    const statuses = new Set<number>()
    for (let count = 1; count <= 30; count += 1) {
      statuses.add((await desk.call('GET', '/editions', { as: stale.as })).statusCode)
    }

    expect([...statuses]).toEqual([401])
    expect((await desk.call('GET', '/editions', { as: valid.as })).statusCode).toBe(200)
  })

  it('that are valid work while their network guesses others', async ({ site, desk }) => {
    site.limitCalls('deskFailures', 2)
    const { as } = await desk.keyWith('read')
    const remoteAddress = '192.0.2.77'
    const call = (authorization: string) =>
      site.app.inject({ url: '/desk/v1/editions', remoteAddress, headers: { authorization } })
    for (const guess of ['one', 'two', 'three']) await call(`Bearer tdk_${guess}`)

    expect((await call('Bearer tdk_four')).statusCode).toBe(429)
    expect((await call(as)).statusCode).toBe(200)
  })
})
