import { describe, expect } from 'vitest'
import { refusalOf } from '#test/desk.ts'
import { siteTest } from '#test/fixtures.ts'
import { cookieOf, createTestPeople } from '#test/passkeys/people.ts'
import { useTestApp } from '#test/test-app.ts'

const it = siteTest().extend('people', { scope: 'file' }, ({ site }) => createTestPeople(site))

const ended = { status: 401, code: 'session-ended' }
const hourMs = 3_600_000

describe('a session', () => {
  it('is a cookie that only pages of the site send to the desk, and is stored as a hash', async ({
    people,
    db,
  }) => {
    const person = await people.add('writer')

    const reply = await people.signIn(person)

    const [secret = ''] = cookieOf(reply).split('=').slice(1)
    expect(reply.headers['set-cookie']).toBe(
      `tidings_desk=${secret}; Path=/desk; Max-Age=1209600; HttpOnly; SameSite=Strict`,
    )
    const rows = await db.deskSession.findMany({ where: { personId: person.id } })
    expect(rows).toHaveLength(2)
    expect(JSON.stringify(rows)).not.toContain(secret)
  })

  it('has a Secure cookie on https', async () => {
    const site = await useTestApp({ working: false, env: { SITE_URL: 'https://news.example.com' } })
    const people = createTestPeople(site)

    const reply = await people.signIn(await people.add('writer'))

    expect(reply.headers['set-cookie']).toMatch(/; HttpOnly; SameSite=Strict; Secure$/)
  })

  it('reads and changes the desk with the scopes of its roles', async ({ people, desk }) => {
    const writer = await people.add('writer')
    const { key } = await desk.newDraft()

    const read = await people.as(writer, 'GET', `/editions/${key}`)
    const body = { title: 'Mine', memo_content: '<p>News.</p>' }
    const written = await people.as(writer, 'POST', `/editions/${key}/memos`, { body })
    const published = await people.as(writer, 'POST', `/editions/${key}/publish`)

    expect([read.statusCode, written.statusCode]).toEqual([200, 201])
    expect(refusalOf(published)).toEqual({
      status: 403,
      code: 'role-missing',
      message: 'Writers don’t publish. Mark the memos as ready.',
    })
    expect((await desk.auditOf(key)).at(-1)).toMatchObject({ action: 'memo.add', personId: writer.id })
  })

  it('gives way to a key in the same request', async ({ people, desk, site }) => {
    const writer = await people.add('writer')
    const { key } = await desk.newDraft()
    const body = { title: 'Script', memo_content: '<p>News.</p>' }

    const reply = await people.as(writer, 'POST', `/editions/${key}/memos`, {
      body,
      headers: { authorization: site.editor },
    })

    expect(reply.statusCode).toBe(201)
    expect((await desk.auditOf(key)).at(-1)).toMatchObject({ editor: 'EDITOR_API_KEY', personId: null })
  })

  it.for([
    ['a foreign Origin', { origin: 'https://evil.example', 'x-desk': '1' }, 'origin-not-permitted'],
    ['the Origin null', { origin: 'null', 'x-desk': '1' }, 'origin-not-permitted'],
    ['no Origin', { 'x-desk': '1' }, 'origin-not-permitted'],
    ['no header X-Desk', { origin: 'http://localhost:3000' }, 'desk-header-missing'],
  ] as const)('makes no change with %s', async ([, headers, code], { people, site }) => {
    const { cookie } = await people.add('writer')

    const reply = await site.app.inject({
      method: 'PATCH',
      url: '/desk/v1/you',
      headers: { cookie, ...headers },
      payload: { name: 'Changed' },
    })

    expect(refusalOf(reply)).toMatchObject({ status: 403, code })
    expect((await people.you({ cookie })).name).not.toBe('Changed')
  })

  it('reads nothing for a foreign Origin', async ({ people, site }) => {
    const { cookie } = await people.add('writer')
    const headers = { cookie, origin: 'https://evil.example' }

    const reply = await site.app.inject({ url: '/desk/v1/you', headers })

    expect(refusalOf(reply)).toMatchObject({ status: 403, code: 'origin-not-permitted' })
    expect(reply.headers['access-control-allow-origin']).toBeUndefined()
  })

  it('ends after 12 hours without a request', async ({ people, site }) => {
    const person = await people.add('writer')
    const start = site.clock.now()
    const after = async (hours: number) => {
      site.clock.moveTo(new Date(start.getTime() + hours * hourMs))
      return await people.as(person, 'GET', '/you')
    }

    const replies = [await after(11), await after(22), await after(34)]

    site.clock.moveTo(start)
    expect(replies.map(({ statusCode }) => statusCode)).toEqual([200, 200, 401])
  })

  it('ends after 14 days in any case', async ({ people, site }) => {
    const person = await people.add('writer')
    const start = site.clock.now()
    let hours = 0
    let status = 200
    while (status === 200 && hours < 1_000) {
      hours += 8
      site.clock.moveTo(new Date(start.getTime() + hours * hourMs))
      status = (await people.as(person, 'GET', '/you')).statusCode
    }
    site.clock.moveTo(start)

    expect([hours, status]).toEqual([14 * 24, 401])
  })

  it('that ended in mid-save gets 401 each time, never 429, and locks out nobody', async ({
    people,
    site,
    desk,
  }) => {
    site.limitCalls('deskFailures', 3)
    const writer = await people.add('writer')
    const { key, ids } = await desk.newDraft(['First'])
    const { as } = await desk.keyWith('read')
    await people.as(writer, 'POST', '/sign-out')
    const save = () =>
      people.as(writer, 'PATCH', `/memos/${ids[0]}`, {
        body: { title: 'Later' },
        headers: { 'if-match': '"1"' },
      })

    const statuses = new Set<number>()
    for (let count = 1; count <= 30; count += 1) statuses.add((await save()).statusCode)

    expect([...statuses]).toEqual([401])
    expect(refusalOf(await save())).toMatchObject(ended)
    expect((await desk.call('GET', `/editions/${key}`, { as })).statusCode).toBe(200)
  })

  it('is listed with the others of its person, who ends them one by one', async ({ people }) => {
    const person = await people.add('writer')
    const other = { ...person, cookie: cookieOf(await people.signIn(person)) }
    const list = (await people.as(person, 'GET', '/you/sessions')).json().data
    const current = list.filter(({ isCurrent }: { isCurrent: boolean }) => isCurrent)
    const [foreign] = list.filter(({ isCurrent }: { isCurrent: boolean }) => !isCurrent)

    const left = await people.as(person, 'DELETE', `/you/sessions/${foreign.id}`)
    const again = await people.as(person, 'DELETE', `/you/sessions/${foreign.id}`)

    expect(list).toHaveLength(2)
    expect(left.json().data).toEqual(current)
    expect(refusalOf(again)).toMatchObject({ status: 404, code: 'session-not-found' })
    expect(refusalOf(await people.as(other, 'GET', '/you'))).toMatchObject(ended)
  })

  it('of another person is not ended', async ({ people }) => {
    const [person, other] = [await people.add('writer'), await people.add('writer')]
    const [session] = (await people.as(other, 'GET', '/you/sessions')).json().data

    const reply = await people.as(person, 'DELETE', `/you/sessions/${session.id}`)

    expect(refusalOf(reply)).toMatchObject({ status: 404, code: 'session-not-found' })
    expect((await people.as(other, 'GET', '/you')).statusCode).toBe(200)
  })

  it('ends at every process at once', async ({ people, otherProcess }) => {
    const person = await people.add('writer')
    const there = createTestPeople(otherProcess)
    const before = await there.as(person, 'GET', '/you')

    await people.as(person, 'POST', '/sign-out')

    expect(before.statusCode).toBe(200)
    expect(refusalOf(await there.as(person, 'GET', '/you'))).toMatchObject(ended)
  })

  it.for(['tidings_desk=short', `tidings_desk=${'x'.repeat(43)}`, `other=1; tidings_desk=${'y'.repeat(43)}`])(
    'is none for the cookie %s',
    async (cookie, { people }) => {
      expect((await people.call('GET', '/you', {}, cookie)).statusCode).toBe(401)
    },
  )
})

describe('PATCH /desk/v1/you', () => {
  it('changes the name and the time zone', async ({ people }) => {
    const person = await people.add('writer')
    const body = { name: ' Ada ', timeZone: 'America/New_York' }

    const reply = await people.as(person, 'PATCH', '/you', { body })

    expect(reply.json().data).toMatchObject({ name: 'Ada', timeZone: 'America/New_York' })
    const back = await people.as(person, 'PATCH', '/you', { body: { timeZone: null } })
    expect(back.json().data).toMatchObject({ name: 'Ada', timeZone: null })
  })

  it.for([{}, { name: ' ' }, { timeZone: 'Mars/Olympus' }, { roles: ['owner'] }, { email: 'a@example.com' }])(
    'rejects %j',
    async (body, { people }) => {
      const person = await people.add('writer')

      const reply = await people.as(person, 'PATCH', '/you', { body })

      expect(refusalOf(reply)).toMatchObject({ status: 400, code: 'invalid-request' })
    },
  )

  it('is not for keys', async ({ desk }) => {
    const reply = await desk.call('PATCH', '/you', { body: { name: 'Key' } })

    expect(refusalOf(reply)).toMatchObject({ status: 403, code: 'people-only' })
  })
})
