import { describe, expect } from 'vitest'
import { refusalOf } from '#test/desk.ts'
import { siteTest } from '#test/fixtures.ts'
import { publishedMemo, writerOf } from '#test/writing/memo-writer.ts'

const minuteMs = 60_000

const it = siteTest()

describe('saving', () => {
  it('changes the memo itself in a draft, under its own version', async ({ desk }) => {
    const { ids } = await desk.newDraft(['A'])
    const writer = writerOf(desk, String(ids[0]))

    const reply = await writer.save(1, { title: 'B', memo_content: '' })

    expect(reply.json().data).toMatchObject({
      title: 'B',
      version: 2,
      isPublic: false,
      changed: [],
      merged: [],
    })
    expect(await desk.readMemo(String(ids[0]))).toMatchObject({ title: 'B', memo_content: '', version: 2 })
  })

  it('shows nothing to readers of a published edition until it is published', async ({ site, desk }) => {
    const { key, id } = await publishedMemo(desk)
    const writer = writerOf(desk, id)
    const read = async () =>
      (await site.app.inject({ url: `/edition/prod/${key}`, headers: { cookie: site.pass } })).json()

    const saved = await writer.save(1, { title: 'After' })

    expect(saved.json().data).toMatchObject({
      title: 'After',
      isPublic: true,
      changed: ['title'],
      version: 2,
    })
    expect(await read()).toMatchObject([{ title: 'Before' }])
    expect((await desk.read(key)).workingCopies).toMatchObject([{ id, title: 'After' }])

    const reply = await writer.publish(2, { note: 'The title was wrong.' })

    expect(reply.statusCode).toBe(200)
    expect(await read()).toMatchObject([{ title: 'After' }])
    const memo = await desk.readMemo(id)
    expect(memo).toMatchObject({ title: 'After', version: 3, note: 'The title was wrong.' })
    expect(memo.notedAt).toBe(site.clock.now().toISOString())
    expect((await desk.read(key)).workingCopies).toEqual([])
    expect((await desk.auditOf(key)).map(({ action }) => action)).toEqual([
      'edition.publish',
      'memo.write',
      'memo.correct',
    ])
  })

  it('merges fields that do not overlap, and refuses another text of the same field', async ({ desk }) => {
    const { id } = await publishedMemo(desk)
    const writer = writerOf(desk, id)
    const ada = (await desk.keyWith('read', 'write')).as
    const bo = (await desk.keyWith('read', 'write')).as

    await writer.save(1, { title: 'Of Ada' }, { as: ada })
    const merged = await writer.save(1, { memo_content: '<p>Of Bo</p>' }, { as: bo })
    const same = await writer.save(1, { title: 'Of Ada' }, { as: bo })
    const clash = await writer.save(1, { title: 'Of Bo' }, { as: bo })

    expect(merged.json().data).toMatchObject({
      title: 'Of Ada',
      memo_content: '<p>Of Bo</p>',
      merged: ['title'],
    })
    expect(same.statusCode).toBe(200)
    expect(clash.statusCode).toBe(409)
    expect(clash.json().error).toMatchObject({
      code: 'version-conflict',
      fields: ['title'],
      current: { title: 'Of Ada', version: 3, savedBy: expect.stringContaining('read-write') },
    })
    const [newest] = await writer.versions()
    expect(newest).toMatchObject({ kind: 'refused' })
  })

  it('keeps both texts of saves at the same time, or refuses one of them', async ({ desk }) => {
    const { ids } = await desk.newDraft(['A'])
    const writer = writerOf(desk, String(ids[0]))

    const titles = await Promise.all(['B', 'C', 'D'].map((title) => writer.save(1, { title })))
    const others = await Promise.all([
      writer.save(1, { source: 'https://example.com/' }),
      writer.save(1, { media_title: 'Caption' }),
    ])

    expect(titles.map(({ statusCode }) => statusCode).toSorted()).toEqual([200, 409, 409])
    expect(others.map(({ statusCode }) => statusCode)).toEqual([200, 200])
    expect(await writer.read()).toMatchObject({ source: 'https://example.com/', media_title: 'Caption' })
    const refused = (await writer.versions()).filter(({ kind }) => kind === 'refused')
    expect(refused).toHaveLength(2)
  })

  it('repeats a save whose reply was lost without a conflict, for 10 minutes', async ({ site, desk }) => {
    const { ids } = await desk.newDraft(['A'])
    const writer = writerOf(desk, String(ids[0]))
    const first = await writer.save(1, { title: 'B' }, { key: 'a-save' })
    const other = await writer.save(2, { title: 'C' }, { key: 'another-save' })

    const again = await writer.save(1, { title: 'B' }, { key: 'a-save' })
    const changed = await writer.save(1, { title: 'D' }, { key: 'a-save' })
    site.clock.moveTo(new Date(site.clock.now().getTime() + 10 * minuteMs + 1))
    const late = await writer.save(1, { title: 'B' }, { key: 'a-save' })

    expect(first.json().data.version).toBe(2)
    expect(other.json().data.version).toBe(3)
    expect(again.statusCode).toBe(200)
    // Another text came after it, which the reply says.
    expect(again.json().data).toMatchObject({ version: 2, title: 'C', merged: ['title'] })
    expect(again.headers.etag).toBe('"2"')
    expect(refusalOf(changed).code).toBe('idempotency-key-reused')
    expect(late.statusCode).toBe(409)
    expect((await writer.read()).title).toBe('C')
  })

  it('is not a conflict after a move, and needs a version', async ({ desk }) => {
    const { key, ids } = await desk.newDraft(['A', 'B'])
    const [a, b] = ids.map(String)
    const writer = writerOf(desk, String(a))
    await desk.call('PUT', `/editions/${key}/order`, { body: { ids: [b, a] }, ifMatch: '"1"' })

    expect((await writer.save(1, { title: 'A2' })).statusCode).toBe(200)
    const without = await desk.call('PUT', `/memos/${a}/working-copy`, { body: { title: 'A3' } })
    expect(refusalOf(without)).toMatchObject({ status: 428, code: 'version-required' })
    // A base from before a restore of the database.
    expect((await writer.save(99, { title: 'A3' })).statusCode).toBe(409)
  })

  it.for([
    [{}],
    [{ position: 1 }],
    [{ status: 'published' }],
    [{ title: 'x'.repeat(301) }],
    [{ title: 'a\u0000b' }],
    [{ media: `${'z'.repeat(26)}.jpg` }],
    [{ media_focus: { x: 2, y: 0 } }],
  ])('rejects %j', async ([body = {}], { desk }) => {
    const { ids } = await desk.newDraft(['A'])

    const reply = await writerOf(desk, String(ids[0])).save(1, body)

    expect(refusalOf(reply)).toMatchObject({ status: 400, code: 'invalid-request' })
  })
})

describe('a typing session', () => {
  it('is one version and one audit entry, until five minutes without a save', async ({ site, desk }) => {
    const { key, ids } = await desk.newDraft(['A'])
    const writer = writerOf(desk, String(ids[0]))
    for (let version = 1; version <= 6; version += 1) {
      await writer.save(version, { title: `Draft ${version}` })
      site.clock.moveTo(new Date(site.clock.now().getTime() + minuteMs))
    }
    await writer.save(7, { title: 'Draft 6' })
    site.clock.moveTo(new Date(site.clock.now().getTime() + 5 * minuteMs))
    await writer.save(7, { title: 'Later' })

    const versions = await writer.versions()

    expect(versions.map(({ kind }) => kind)).toEqual(['session', 'session', 'first'])
    expect((await desk.auditOf(key)).map(({ action }) => action)).toEqual(['memo.write', 'memo.write'])
    const path = `/memos/${ids[0]}/versions/${versions[1]?.id}`
    expect((await desk.call('GET', path)).json().data.fields.title).toBe('Draft 6')
  })

  it('of two people are two versions, however they alternate', async ({ desk }) => {
    const { ids } = await desk.newDraft(['A'])
    const writer = writerOf(desk, String(ids[0]))
    const ada = (await desk.keyWith('write')).as
    const bo = (await desk.keyWith('write')).as
    for (let version = 1; version <= 8; version += 1) {
      await writer.save(version, { title: `Draft ${version}` }, { as: version % 2 === 0 ? ada : bo })
    }

    expect((await writer.versions()).map(({ kind }) => kind)).toEqual(['session', 'session', 'first'])
  })

  it('that changes nothing leaves no trace', async ({ desk }) => {
    const { key, ids } = await desk.newDraft(['A'])
    const writer = writerOf(desk, String(ids[0]))
    const { title, memo_content } = await writer.read()
    const before = await desk.read(key)

    const reply = await writer.save(1, { title, memo_content })

    expect(reply.json().data.version).toBe(1)
    expect(await writer.versions()).toEqual([])
    expect(await desk.auditOf(key)).toEqual([])
    expect(await desk.read(key)).toEqual(before)
  })
})

describe('publishing a working copy', () => {
  it('refuses what is incomplete, an old version, and what readers already have', async ({ desk }) => {
    const { id } = await publishedMemo(desk)
    const writer = writerOf(desk, id)
    expect(refusalOf(await writer.publish(1)).code).toBe('working-copy-not-found')
    await writer.save(1, { memo_content: '<p></p>' })

    const incomplete = await writer.publish(2)

    expect(incomplete.json().error).toMatchObject({
      code: 'incomplete',
      message: 'Memo 1 has no text. Write it or delete it.',
      incomplete: [{ id, fields: ['memo_content'] }],
    })
    await writer.save(2, { memo_content: '<p>Again.</p>' })
    expect(refusalOf(await writer.publish(2)).code).toBe('version-conflict')
    expect((await writer.publish(3)).statusCode).toBe(200)
    expect(refusalOf(await writer.publish(3)).status).toBe(409)
  })

  it('is no other text for those who write on', async ({ desk }) => {
    const { id } = await publishedMemo(desk)
    const writer = writerOf(desk, id)
    await writer.save(1, { title: 'After' })
    await writer.publish(2)

    expect((await writer.save(2, { title: 'After, and more' })).statusCode).toBe(200)
    expect((await writer.save(1, { title: 'Late' })).statusCode).toBe(409)
  })

  it('needs the scope publish, which saving does not', async ({ desk }) => {
    const { id } = await publishedMemo(desk)
    const { as } = await desk.keyWith('write')
    const saved = await writerOf(desk, id).save(1, { title: 'After' }, { as })

    const reply = await desk.call('POST', `/memos/${id}/working-copy/publish`, { ifMatch: '"2"', as })

    expect(saved.statusCode).toBe(200)
    expect(refusalOf(reply)).toMatchObject({ status: 403, code: 'scope-missing' })
  })

  it('keeps what a script corrected meanwhile, and refuses the same field', async ({ desk }) => {
    const { id } = await publishedMemo(desk)
    const writer = writerOf(desk, id)
    await writer.save(1, { title: 'Of a person' })
    const patch = async (version: number, body: object) =>
      await desk.call('PATCH', `/memos/${id}`, { body, ifMatch: `"${version}"` })
    await patch(1, { source: 'https://example.com/' })
    expect(await writer.read()).toMatchObject({
      title: 'Of a person',
      source: 'https://example.com/',
      version: 3,
    })
    // The person has not seen what the script changed.
    expect((await writer.save(2, { source: '' })).json().error.fields).toEqual(['source'])
    expect(refusalOf(await writer.publish(2)).code).toBe('version-conflict')
    await patch(3, { title: 'Of a script' })

    const clash = await writer.publish(4)

    expect(clash.json().error).toMatchObject({ code: 'version-conflict', fields: ['title'] })
    expect(await desk.readMemo(id)).toMatchObject({ title: 'Of a script', source: 'https://example.com/' })
  })

  it('is dropped without a change for readers', async ({ desk }) => {
    const { id } = await publishedMemo(desk)
    const writer = writerOf(desk, id)
    await writer.save(1, { title: 'Dropped' })

    expect((await writer.discard(2)).statusCode).toBe(200)

    expect(await writer.read()).toMatchObject({ title: 'Before', changed: [] })
    expect((await desk.readMemo(id)).version).toBe(3)
    await writer.save(3, { title: 'Typed after it' })
    const versions = await writer.versions()
    expect(versions.map(({ kind }) => kind).slice(0, 3)).toEqual(['session', 'restored', 'session'])
    const dropped = await desk.call('GET', `/memos/${id}/versions/${versions[2]?.id}`)
    expect(dropped.json().data.fields.title).toBe('Dropped')
    await writer.discard(4)
    expect(refusalOf(await writer.discard(5)).code).toBe('working-copy-not-found')
  })

  it('is known as dropped to all who wrote it', async ({ desk }) => {
    const { id } = await publishedMemo(desk)
    const writer = writerOf(desk, id)
    const save = { title: 'Dropped' }
    await writer.save(1, save, { key: 'a-lost-reply' })
    await writer.discard(2)

    const again = await writer.save(1, save, { key: 'a-lost-reply' })
    const clash = await writer.save(2, { title: 'Dropped, and more' })

    expect(again.json().data).toMatchObject({ title: 'Before', version: 2, merged: ['title'] })
    expect(clash.json().error).toMatchObject({ fields: ['title'], current: { title: 'Before', version: 3 } })
    expect((await writer.versions()).map(({ kind }) => kind).slice(0, 2)).toEqual(['refused', 'restored'])
  })
})
