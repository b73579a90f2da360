import { textComparison, textVersionSummary } from '@tidings/contracts/desk/writing/version-terms'
import { dataOf, pageOf } from '@tidings/contracts/envelope'
import { describe, expect } from 'vitest'
import { refusalOf } from '#test/desk.ts'
import { siteTest } from '#test/fixtures.ts'
import { publishedMemo, writerOf } from '#test/writing/memo-writer.ts'

const it = siteTest()

describe('a private memo of a published edition', () => {
  it('is seen by nobody outside the desk until it is published at its place', async ({ site, desk }) => {
    const { key } = await publishedMemo(desk)
    await desk.addMemo(key, { title: 'Second' })
    const added = await desk.call('POST', `/editions/${key}/memos`, {
      body: { title: '', private: true, position: 2 },
    })
    const { id } = added.json().data
    const writer = writerOf(desk, id)

    expect(added.json()).toMatchObject({ data: { position: 2 }, delivery: 'none' })
    expect(await desk.places(key)).toEqual(['1 Before', '2 Second'])
    expect((await desk.read(key)).workingCopies).toMatchObject([{ id, place: 2, isPublic: false }])
    expect(refusalOf(await writer.publish(1)).code).toBe('incomplete')
    await writer.save(1, { title: 'Between', memo_content: '<p>News.</p>' })
    expect((await writer.publish(2)).statusCode).toBe(200)
    expect(await desk.places(key)).toEqual(['1 Before', '2 Between', '3 Second'])
    const live = await site.app.inject({ url: `/edition/prod/${key}`, headers: { cookie: site.pass } })
    expect(live.json()).toMatchObject([{ title: 'Before' }, { _id: id }, { title: 'Second' }])
  })

  it('is no memo of readers, which its refusals say, as those of a memo without text do', async ({
    desk,
  }) => {
    const { key } = await publishedMemo(desk)
    const body = { title: 'Private' }
    const path = `/editions/${key}/memos`
    const { id } = (await desk.call('POST', path, { body: { ...body, private: true } })).json().data

    const live = refusalOf(await desk.call('POST', path, { body }))
    const read = refusalOf(await desk.call('GET', `/memos/${id}`))
    const deletion = refusalOf(await desk.call('DELETE', `/memos/${id}`, { ifMatch: '"1"' }))

    expect(live).toMatchObject({ status: 409, code: 'incomplete' })
    expect(live.message).toMatch(/^This memo has no text, .+`private: true`/)
    for (const refusal of [read, deletion]) {
      expect(refusal).toMatchObject({ status: 404, code: 'memo-not-found' })
      expect(refusal.message).toContain('/desk/v1/memos/{id}/working-copy')
    }
  })

  it('is deleted with its working copy, and comes back', async ({ desk }) => {
    const { key } = await publishedMemo(desk)
    const { id } = (
      await desk.call('POST', `/editions/${key}/memos`, { body: { title: 'Private', private: true } })
    ).json().data

    expect((await writerOf(desk, id).discard(1)).statusCode).toBe(200)
    expect(refusalOf(await desk.call('GET', `/memos/${id}/working-copy`)).code).toBe('memo-not-found')
    const back = await desk.call('POST', `/deleted-memos/${id}/restore`)

    expect(back.statusCode).toBe(200)
    expect((await desk.read(key)).workingCopies).toMatchObject([{ id, title: 'Private' }])
  })

  it('becomes a memo of the draft when its edition is withdrawn', async ({ desk }) => {
    const { key, id } = await publishedMemo(desk)
    await writerOf(desk, id).save(1, { title: 'Changed' })
    await desk.call('POST', `/editions/${key}/memos`, { body: { title: 'Private', private: true } })
    const { version } = await desk.read(key)

    await desk.call('PUT', `/editions/${key}`, { body: { status: 'draft' }, ifMatch: `"${version}"` })

    expect(await desk.places(key)).toEqual(['1 Changed', '2 Private'])
    expect((await desk.read(key)).workingCopies).toEqual([])
  })
})

describe('versions', () => {
  it('are compared by fields and words, and restored', async ({ desk }) => {
    const { id } = await publishedMemo(desk)
    const writer = writerOf(desk, id)
    await writer.save(1, { memo_content: '<p>The <strong>old</strong> bridge opens.</p>' })
    await writer.publish(2)
    await writer.save(3, { memo_content: '<p>The new bridge opens.</p>', title: 'After' })
    const before = (await writer.versions()).find(({ kind }) => kind === 'published')

    const reply = await desk.call('GET', `/memos/${id}/versions/${before?.id}/comparison`)
    const { fields } = dataOf(textComparison).parse(reply.json()).data
    const content = fields.find(({ field }) => field === 'memo_content')

    expect(fields.map(({ field }) => field).toSorted()).toEqual(['memo_content', 'title'])
    expect(content?.words).toEqual([
      { kind: 'same', text: 'The ' },
      { kind: 'removed', text: 'old' },
      { kind: 'added', text: 'new' },
      { kind: 'same', text: ' bridge opens.' },
    ])
    const restored = await desk.call('POST', `/memos/${id}/versions/${before?.id}/restore`, {
      ifMatch: '"4"',
    })
    expect(restored.json().data).toMatchObject({ title: 'Before', version: 5 })
  })

  it('have the words of both people when one text is chosen over another', async ({ site, desk }) => {
    const { ids } = await desk.newDraft(['A'])
    const id = String(ids[0])
    const writer = writerOf(desk, id)
    const [ada, bo] = [await desk.keyWith('write'), await desk.keyWith('write')]
    const save = async (by: typeof ada, version: number, change: object) => {
      site.clock.moveTo(new Date(site.clock.now().getTime() + 1_000))
      return (await writer.save(version, change, { as: by.as })).statusCode
    }
    await save(bo, 1, { title: 'A bo1' })
    expect(await save(ada, 1, { title: 'A ada1' })).toBe(409)
    await save(ada, 2, { media_alt: 'A bridge' })
    await save(bo, 3, { title: 'A bo1 bo2' })

    await save(ada, 4, { title: 'A ada1' })
    await save(bo, 5, { title: 'A ada1 bo3' })
    await save(bo, 6, { title: 'A ada1 bo3 bo4' })

    const titles: string[] = []
    for (const version of await writer.versions()) {
      const reply = await desk.call('GET', `/memos/${id}/versions/${version.id}`)
      titles.push(reply.json().data.fields.title)
    }
    expect(titles).toEqual(['A ada1 bo3 bo4', 'A ada1', 'A ada1', 'A bo1 bo2', 'A'])
  })

  it('of another memo are not found', async ({ desk }) => {
    const { ids } = await desk.newDraft(['A', 'B'])
    const [a, b] = ids.map(String)
    await writerOf(desk, String(a)).save(1, { title: 'A2' })
    const [version] = await writerOf(desk, String(a)).versions()

    for (const path of ['', '/comparison']) {
      const reply = await desk.call('GET', `/memos/${b}/versions/${version?.id}${path}`)
      expect(refusalOf(reply)).toMatchObject({ status: 404, code: 'version-not-found' })
    }
  })

  it('of 5,000 are paged and found by index', async ({ site, desk }) => {
    const { ids } = await desk.newDraft(['A'])
    const { db } = site.context.database
    const now = site.clock.now()
    await db.textVersion.createMany({
      data: Array.from({ length: 5_000 }, () => ({
        textId: String(ids[0]),
        kind: 'published' as const,
        fields: {},
        startedAt: now,
        endedAt: now,
      })),
    })
    const seen = new Set<string>()
    let after: string | null = ''
    while (after !== null) {
      const query: string = after === '' ? '' : `&after=${after}`
      const reply = await desk.call('GET', `/memos/${ids[0]}/versions?limit=200${query}`)
      const page = pageOf(textVersionSummary).parse(reply.json())
      for (const { id } of page.data) seen.add(id)
      after = page.next
    }

    expect(seen.size).toBe(5_000)
    const plan = await db.$queryRawUnsafe(
      `EXPLAIN SELECT * FROM text_version WHERE text_id = '${ids[0]}' ORDER BY id DESC LIMIT 51`,
    )
    expect(JSON.stringify(plan)).toContain('text_version_text_id_id_idx')
  })
})
