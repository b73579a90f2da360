import { describe, expect } from 'vitest'
import { refusalOf } from '#test/desk.ts'
import { siteTest } from '#test/fixtures.ts'
import { createTestPeople } from '#test/passkeys/people.ts'
import { addWrittenArticle } from '#test/writing/article-writer.ts'

const minuteMs = 60_000
const isPublic = { status: 'published' }

const it = siteTest()
  .extend('people', { scope: 'file' }, ({ site }) => createTestPeople(site))

  /** Reads an article as a member does. */
  .extend('readAsMember', { scope: 'file' }, async ({ site, members }) => {
    const { headers } = await members.signUp()
    return async (id: string) => {
      const url = `/edition/prod/get_gated_list/${id}`
      return await site.app.inject({ url, headers: { ...headers, cookie: site.pass } })
    }
  })

describe('saving an article', () => {
  it('changes the article itself while it is a draft', async ({ desk }) => {
    const { id, writer } = await addWrittenArticle(desk)

    const reply = await writer.save(1, { title: 'After', memo_content: '' })

    const saved = { title: 'After', memo_content: '', version: 2 }
    expect(reply.json().data).toMatchObject({ ...saved, isPublic: false, changed: [], merged: [] })
    expect(reply.headers.etag).toBe('"2"')
    expect((await desk.call('GET', `/articles/${id}`)).json().data).toMatchObject(saved)
  })

  it('shows nothing to readers until it is published', async ({ desk, readAsMember }) => {
    const { id, writer } = await addWrittenArticle(desk, isPublic)

    const saved = await writer.save(1, { title: 'After', memo_content: '<p onclick="x()">New.</p>' })

    expect(saved.json()).toMatchObject({
      data: { title: 'After', isPublic: true, changed: ['title', 'memo_content'], version: 2 },
      removed: [{ field: 'memo_content' }],
    })
    expect((await readAsMember(id)).json().data).toMatchObject({
      title: 'Before',
      memo_content: '<p>Long.</p>',
    })
    const published = await writer.publish(2)
    expect(published.json().data).toMatchObject({ title: 'After', changed: [], version: 3 })
    expect(published.headers.etag).toBe('"3"')
    expect((await readAsMember(id)).json().data).toMatchObject({
      title: 'After',
      memo_content: '<p>New.</p>',
    })
    expect((await desk.auditOf(id)).map(({ action }) => action)).toEqual([
      'article.create',
      'article.write',
      'article.correct',
    ])
  })

  it('keeps the readers of a group until another one is published', async ({ desk, readAsMember }) => {
    const { key } = await desk.addGroup({ permissions: ['of-nobody'] })
    const { id, writer } = await addWrittenArticle(desk, { ...isPublic, group: key })

    await writer.save(1, { group: null })
    const before = (await readAsMember(id)).statusCode
    await writer.publish(2)

    expect([before, (await readAsMember(id)).statusCode]).toEqual([403, 200])
  })

  it('of two people merges different fields, and keeps both texts of the same one', async ({
    desk,
    people,
  }) => {
    const { id, writer } = await addWrittenArticle(desk, isPublic)
    const [ada, bo] = [await people.add('writer'), await people.add('editor')]
    const save = (person: typeof ada, body: object) =>
      people.as(person, 'PUT', `/articles/${id}/working-copy`, { body, headers: { 'if-match': '"1"' } })

    await save(ada, { title: 'Of Ada' })
    const merged = await save(bo, { memo_content: '<p>Of Bo</p>' })
    const same = await save(bo, { title: 'Of Ada' })
    const clash = await save(bo, { title: 'Of Bo' })

    expect(merged.json().data).toMatchObject({
      title: 'Of Ada',
      memo_content: '<p>Of Bo</p>',
      merged: ['title'],
    })
    expect([same.statusCode, clash.statusCode]).toEqual([200, 409])
    const { name } = await people.you(bo)
    expect(clash.json().error).toMatchObject({
      code: 'version-conflict',
      message: expect.stringContaining(`${name} has changed it`),
      fields: ['title'],
      current: { title: 'Of Ada', version: 3, savedBy: name },
    })
    const [refused] = await writer.versions()
    expect(refused).toMatchObject({ kind: 'refused', savedBy: name })
    const kept = await desk.call('GET', `/articles/${id}/versions/${refused?.id}`)
    expect(kept.json().data.fields).toMatchObject({ title: 'Of Bo', memo_content: '<p>Of Bo</p>' })
  })

  it('at the same time stores one text of a field', async ({ desk }) => {
    const { writer } = await addWrittenArticle(desk)

    const replies = await Promise.all(['B', 'C', 'D'].map((title) => writer.save(1, { title })))
    const others = await Promise.all([
      writer.save(1, { language: 'pt' }),
      writer.save(1, { media_title: 'E' }),
    ])

    expect(replies.map(({ statusCode }) => statusCode).toSorted()).toEqual([200, 409, 409])
    expect(others.map(({ statusCode }) => statusCode)).toEqual([200, 200])
    expect(await writer.read()).toMatchObject({ language: 'pt', media_title: 'E' })
    expect((await writer.versions()).filter(({ kind }) => kind === 'refused')).toHaveLength(2)
  })

  it('may be repeated for 10 minutes without a conflict', async ({ site, desk }) => {
    const { writer } = await addWrittenArticle(desk, isPublic)
    const save = (title: string) => writer.save(1, { title }, { key: 'an-article-save' })
    await save('B')
    await writer.save(2, { title: 'C' })

    const again = await save('B')
    const changed = await save('D')
    site.clock.pass(10 * minuteMs + 1)
    const late = await save('B')

    expect(again.statusCode).toBe(200)
    expect(again.headers.etag).toBe('"2"')
    expect(refusalOf(changed).code).toBe('idempotency-key-reused')
    expect(late.statusCode).toBe(409)
    expect((await writer.read()).title).toBe('C')
  })

  it('is one version and one audit entry a typing session', async ({ site, desk }) => {
    const { id, writer } = await addWrittenArticle(desk, isPublic)
    for (let version = 1; version <= 6; version += 1) {
      await writer.save(version, { title: `Text ${version}` })
      site.clock.pass(minuteMs)
    }
    site.clock.pass(5 * minuteMs)
    await writer.save(7, { title: 'Later' })

    expect((await writer.versions()).map(({ kind }) => kind)).toEqual(['session', 'session', 'published'])
    const writes = (await desk.auditOf(id)).filter(({ action }) => action === 'article.write')
    expect(writes).toMatchObject([{ details: { title: 'Text 1' } }, { details: { title: 'Later' } }])
  })

  it.for([{}, isPublic])('that changes nothing leaves no trace: %j', async (draft, { desk }) => {
    const { id, writer } = await addWrittenArticle(desk, draft)
    const { title, memo_content, group } = await writer.read()
    const before = [await writer.read(), await writer.versions(), await desk.auditOf(id)]

    const saved = await writer.save(1, { title, memo_content, group })
    const patched = await desk.call('PATCH', `/articles/${id}`, { body: { title }, ifMatch: '"1"' })

    expect([saved.json().data.version, patched.json().data.version]).toEqual([1, 1])
    expect([await writer.read(), await writer.versions(), await desk.auditOf(id)]).toEqual(before)
  })

  it.for([
    [{}],
    [{ status: 'published' }],
    [{ source: 'https://example.com/' }],
    [{ title: 'x'.repeat(301) }],
    [{ title: 'a\u0000b' }],
    [{ memo_content: 'x'.repeat(400_001) }],
    [{ media: `${'z'.repeat(26)}.jpg` }],
    [{ group: 'no-such-group' }],
  ])('rejects %j', async ([body = {}], { desk }) => {
    const { writer } = await addWrittenArticle(desk, isPublic)

    expect(refusalOf(await writer.save(1, body))).toMatchObject({ status: 400, code: 'invalid-request' })
    expect((await writer.read()).version).toBe(1)
  })

  it('needs a version that exists', async ({ desk }) => {
    const { id, writer } = await addWrittenArticle(desk)

    const without = await desk.call('PUT', `/articles/${id}/working-copy`, { body: { title: 'B' } })

    expect(refusalOf(without)).toMatchObject({ status: 428, code: 'version-required' })
    expect((await writer.save(99, { title: 'B' })).statusCode).toBe(409)
  })
})

describe('publishing the working copy of an article', () => {
  it('refuses what is incomplete, an old version, and what readers already have', async ({ desk }) => {
    const { id, writer } = await addWrittenArticle(desk, isPublic)
    expect(refusalOf(await writer.publish(1)).code).toBe('working-copy-not-found')
    await writer.save(1, { memo_content: '<p></p>' })

    const incomplete = await writer.publish(2)

    expect(incomplete.json().error).toMatchObject({
      code: 'incomplete',
      incomplete: [{ id, place: null, fields: ['memo_content'] }],
    })
    await writer.save(2, { memo_content: '<p>Again.</p>' })
    expect(refusalOf(await writer.publish(2)).code).toBe('version-conflict')
    expect((await writer.publish(3)).statusCode).toBe(200)
    expect(refusalOf(await writer.publish(4)).code).toBe('working-copy-not-found')
  })

  it('is for editors; a writer saves', async ({ desk, people }) => {
    const { id } = await addWrittenArticle(desk, isPublic)
    const writer = await people.add('writer')
    const path = `/articles/${id}/working-copy`
    const call = (method: 'PUT' | 'POST', suffix: string, version: number, body?: object) =>
      people.as(writer, method, `${path}${suffix}`, { body, headers: { 'if-match': `"${version}"` } })

    expect((await call('PUT', '', 1, { title: 'Of a writer' })).statusCode).toBe(200)
    expect(refusalOf(await call('POST', '/publish', 2))).toMatchObject({ status: 403, code: 'role-missing' })
  })

  it('keeps what a script changed meanwhile, and refuses the same field', async ({ desk }) => {
    const { id, writer } = await addWrittenArticle(desk, isPublic)
    const patch = (version: number, body: object) =>
      desk.call('PATCH', `/articles/${id}`, { body, ifMatch: `"${version}"` })
    await writer.save(1, { title: 'Of a person' })
    await patch(1, { media_title: 'Caption' })
    const kept = { title: 'Of a person', media_title: 'Caption', version: 3 }
    expect(await writer.read()).toMatchObject(kept)
    // The person has not seen what the script changed.
    expect((await writer.save(2, { media_title: '' })).json().error.fields).toEqual(['media_title'])
    expect(refusalOf(await writer.publish(2)).code).toBe('version-conflict')
    await patch(3, { title: 'Of a script' })

    const clash = await writer.publish(4)

    expect(clash.json().error).toMatchObject({ code: 'version-conflict', fields: ['title'] })
    const { data } = (await desk.call('GET', `/articles/${id}`)).json()
    expect(data).toMatchObject({ title: 'Of a script', media_title: 'Caption', version: 4 })
    await writer.discard(4)
    await writer.save(5, { title: 'Of a person' })
    expect((await writer.publish(6)).json().data).toMatchObject({
      title: 'Of a person',
      media_title: 'Caption',
    })
  })

  it('refuses a group that was removed meanwhile', async ({ desk }) => {
    const group = await desk.addGroup()
    const { writer } = await addWrittenArticle(desk, isPublic)
    await writer.save(1, { group: group.key })
    await desk.call('DELETE', `/content-groups/${group.id}`, { ifMatch: '"1"' })

    expect(refusalOf(await writer.publish(2))).toMatchObject({ status: 400, code: 'invalid-request' })
    expect(await writer.read()).toMatchObject({ group: group.key, version: 2 })
  })
})

describe('a working copy of an article', () => {
  it('is dropped without a change for readers', async ({ desk }) => {
    const { writer } = await addWrittenArticle(desk, isPublic)
    await writer.save(1, { title: 'Dropped' })

    expect((await writer.discard(2)).statusCode).toBe(200)

    expect(await writer.read()).toMatchObject({ title: 'Before', changed: [], version: 3 })
    expect((await writer.save(2, { title: 'Dropped, and more' })).json().error.fields).toEqual(['title'])
    expect((await writer.save(3, { title: 'Again' })).json().data.version).toBe(4)
    expect((await writer.versions()).map(({ kind }) => kind)).toEqual([
      'session',
      'refused',
      'restored',
      'session',
      'published',
    ])
    await writer.discard(4)
    expect(refusalOf(await writer.discard(5)).code).toBe('working-copy-not-found')
  })

  it('becomes the draft when its article is withdrawn, but for what a script changed since', async ({
    desk,
  }) => {
    const { id, writer } = await addWrittenArticle(desk, isPublic)
    await writer.save(1, { title: 'Of a person', memo_content: '<p>Of a person.</p>' })
    await desk.call('PATCH', `/articles/${id}`, { body: { title: 'Of a script' }, ifMatch: '"1"' })

    const reply = await desk.call('PATCH', `/articles/${id}`, { body: { status: 'draft' }, ifMatch: '"3"' })

    const text = { title: 'Of a script', memo_content: '<p>Of a person.</p>', version: 4 }
    expect(reply.json().data).toMatchObject({ ...text, status: 'draft' })
    expect(await writer.read()).toMatchObject({ ...text, isPublic: false, changed: [] })
  })
  it('that names a removed group leaves a withdrawn article in its own', async ({ desk }) => {
    const [own, other] = [await desk.addGroup(), await desk.addGroup()]
    const { id, writer } = await addWrittenArticle(desk, { ...isPublic, group: own.key })
    await writer.save(1, { title: 'After', group: other.key })
    await desk.call('DELETE', `/content-groups/${other.id}`, { ifMatch: '"1"' })

    await desk.call('PATCH', `/articles/${id}`, { body: { status: 'draft' }, ifMatch: '"1"' })

    expect(await writer.read()).toMatchObject({ title: 'After', group: own.key, isPublic: false })
  })
})
