import { auditEntry } from '@tidings/contracts/desk/audit'
import { pageOf } from '@tidings/contracts/envelope'
import { describe, expect } from 'vitest'
import { firstUuidAt } from '#platform/ids.ts'
import { multipartForm } from '#test/content/multipart.ts'
import { createTestDesk, refusalOf } from '#test/desk.ts'
import { jpegPicture } from '#test/factories/pictures.ts'
import { siteTest } from '#test/fixtures.ts'
import { useTestApp } from '#test/test-app.ts'

const it = siteTest()

describe('the audit log', () => {
  it('has an entry for each change of an edition, with its editor', async ({ desk }) => {
    const key = '12-01-26-10AM'
    const { as, name } = await desk.keyWith('read', 'write', 'publish')
    await desk.call('PUT', `/editions/${key}`, { body: { status: 'draft' }, as })
    const versions = [1, 2, 3]
    for (const [index, status] of ['scheduled', 'published', 'draft'].entries()) {
      await desk.call('PUT', `/editions/${key}`, { body: { status }, ifMatch: `"${versions[index]}"`, as })
    }
    await desk.publish(key)

    const lines = await desk.auditOf(key)

    expect(lines.map(({ action }) => action)).toEqual([
      'edition.create',
      'edition.schedule',
      'edition.publish',
      'edition.withdraw',
      'edition.publish',
    ])
    expect(lines.map(({ editor }) => editor)).toEqual([name, name, name, name, 'EDITOR_API_KEY'])
    expect(lines[1]?.details).toEqual({ from: 'draft', to: 'scheduled' })
    expect(lines.every(({ subject }) => subject === key)).toBe(true)
  })

  it('keeps the previous text of a changed or withdrawn memo', async ({ desk }) => {
    const key = '12-01-26-3PM'
    await desk.draft(key)
    const before = await desk.addMemo(key, { title: 'First wording' })
    await desk.call('PATCH', `/memos/${before.id}`, {
      body: { title: 'Second wording', position: 1 },
      ifMatch: '"1"',
    })
    const changed = await desk.readMemo(before.id)
    await desk.call('DELETE', `/memos/${before.id}`, { ifMatch: '"2"' })

    const [added, change, withdrawal] = await desk.auditOf(key)

    expect(added).toMatchObject({
      action: 'memo.add',
      details: { memo: before.id, title: 'First wording', position: 1 },
    })
    expect(change).toMatchObject({
      action: 'memo.change',
      details: { before, changed: ['title', 'position'] },
    })
    expect(withdrawal).toMatchObject({ action: 'memo.withdraw', details: { memo: changed } })
  })

  it('keeps the previous text of a changed or deleted article', async ({ desk }) => {
    const article = await desk.addArticle({ title: 'First' })
    await desk.call('PATCH', `/articles/${article.id}`, { body: { title: 'Second' }, ifMatch: '"1"' })
    await desk.call('POST', `/articles/${article.id}/publish`)
    await desk.call('DELETE', `/articles/${article.id}`, { ifMatch: '"3"' })

    const lines = await desk.auditOf(article.id)

    expect(lines.map(({ action }) => action)).toEqual([
      'article.create',
      'article.change',
      'article.publish',
      'article.remove',
    ])
    expect(lines[1]?.details).toEqual({ before: article, changed: ['title'] })
    expect(lines[3]?.details).toMatchObject({ article: { title: 'Second', status: 'published' } })
  })

  it('has an entry for an upload', async ({ site, desk }) => {
    const { headers, payload } = multipartForm([
      { name: 'file', filename: 'a.jpg', content: await jpegPicture(40, 30) },
    ])
    const reply = await site.app.inject({
      method: 'POST',
      url: '/desk/v1/media',
      headers: { ...headers, authorization: site.editor },
      payload,
    })

    const lines = await desk.auditOf(reply.json().data.media)

    expect(lines).toMatchObject([{ action: 'media.upload', details: { width: 40, height: 30 } }])
  })

  it('has no entry for a rejected change', async ({ desk }) => {
    const key = '12-01-26-8PM'
    const { memos } = await desk.draft(key, ['A'])
    const before = await desk.auditOf(key)

    await desk.call('PATCH', `/memos/${memos[0]?.id}`, { body: { title: 'B' }, ifMatch: '"9"' })
    await desk.call('PUT', `/editions/${key}`, { body: { status: 'published' }, ifMatch: '"9"' })
    await desk.call('POST', `/editions/${key}/memos`, { body: { title: 'x'.repeat(301) } })

    expect(await desk.auditOf(key)).toEqual(before)
  })

  it('is filtered by edition, memo, article and day, together', async ({ site, desk }) => {
    const key = '12-03-26-10AM'
    await desk.draft(key)
    const memo = await desk.addMemo(key)
    const other = await desk.addMemo(key)
    await desk.call('PATCH', `/memos/${memo.id}`, { body: { title: 'New' }, ifMatch: '"1"' })
    await desk.call('DELETE', `/memos/${memo.id}`, { ifMatch: '"2"' })
    const article = await desk.addArticle()
    const actions = async (query: string): Promise<string[]> => {
      const reply = await desk.call('GET', `/audit?${query}`)
      return pageOf(auditEntry)
        .parse(reply.json())
        .data.map(({ action }) => action)
        .reverse()
    }

    expect(await actions(`memo=${memo.id}`)).toEqual(['memo.add', 'memo.change', 'memo.withdraw'])
    expect(await actions(`memo=${other.id}`)).toEqual(['memo.add'])
    expect(await actions(`edition=${key}`)).toEqual(['memo.add', 'memo.add', 'memo.change', 'memo.withdraw'])
    expect(await actions(`edition=12-03-26-3PM&memo=${memo.id}`)).toEqual([])
    expect(await actions(`article=${article.id}`)).toEqual(['article.create'])
    expect(await actions(`article=${article.id}&edition=${key}`)).toEqual([])

    // 23:59:59 and midnight in Los Angeles.
    for (const at of [
      '2022-03-05T07:59:59.999Z',
      '2022-03-05T08:00:00.000Z',
      '2022-03-06T07:59:59.999Z',
      '2022-03-06T08:00:00.000Z',
    ]) {
      const data = { id: firstUuidAt(new Date(at)), at, action: 'test.day', subject: at }
      await site.context.database.db.auditEntry.create({ data })
    }
    const reply = await desk.call('GET', '/audit?day=2022-03-05')
    expect(
      pageOf(auditEntry)
        .parse(reply.json())
        .data.map(({ at }) => at),
    ).toEqual(['2022-03-06T07:59:59.999Z', '2022-03-05T08:00:00.000Z'])
  })

  it('is filtered by person, and names people and keys', async ({ site, desk }) => {
    const { db } = site.context.database
    const person = await db.person.create({
      data: { email: 'audit.ann@example.com', name: 'Ann', roles: ['editor'] },
    })
    await db.auditEntry.create({ data: { personId: person.id, action: 'test.person', subject: 'one' } })
    await desk.addArticle()

    const reply = await desk.call('GET', `/audit?person=${person.id}`)

    expect(pageOf(auditEntry).parse(reply.json()).data).toMatchObject([
      { editor: 'Ann', action: 'test.person', subject: 'one' },
    ])
  })

  it('never contains a key or its hash', async ({ site, desk }) => {
    const reply = await desk.call('GET', '/audit?limit=200')

    expect(reply.body).not.toContain(site.editor.slice('Bearer '.length))
    expect(reply.body).not.toMatch(/[0-9a-f]{64}/)
  })

  it('pages without gaps or duplicates, newest first, while entries are added', async () => {
    const own = await useTestApp({ working: false })
    const ownDesk = createTestDesk(own)
    await ownDesk.draft('12-02-26-10AM')
    for (let count = 1; count <= 7; count += 1) await ownDesk.addMemo('12-02-26-10AM')
    const expected = (await ownDesk.auditOf('12-02-26-10AM')).map(({ id }) => id).reverse()

    const seen: string[] = []
    let after: string | null = ''
    while (after !== null) {
      const reply = await ownDesk.call('GET', `/audit?limit=3${after === '' ? '' : `&after=${after}`}`)
      const page = pageOf(auditEntry).parse(reply.json())
      seen.push(...page.data.map(({ id }) => id))
      after = page.next
      await ownDesk.addMemo('12-02-26-10AM')
    }

    expect(expected).toHaveLength(7)
    expect(seen).toEqual(expected)
  })

  it.for([
    'limit=0',
    'limit=x',
    'after=1',
    'subject=',
    'subject=%00',
    "subject='%20OR%201=1",
    `subject=${'x'.repeat(101)}`,
    'editor=anna',
    'memo=x',
    'person=Ann',
    'article=12-01-26-10AM',
    'edition=%00',
    'day=11-28-26',
    'day=1999-12-31',
    'day=2026-02-30',
  ])('rejects the query %s', async (query, { desk }) => {
    expect(refusalOf(await desk.call('GET', `/audit?${query}`))).toMatchObject({
      status: 400,
      code: 'invalid-request',
    })
  })
})
