import { deskArticleSummary } from '@tidings/contracts/desk/articles'
import { deskEditionSummary } from '@tidings/contracts/desk/editions'
import { foundMemo } from '@tidings/contracts/desk/memos'
import { pageOf } from '@tidings/contracts/envelope'
import { describe, expect } from 'vitest'
import { refusalOf } from '#test/desk.ts'
import { siteTest } from '#test/fixtures.ts'
import { createTestPeople, type TestPerson } from '#test/passkeys/people.ts'

const it = siteTest()
  .extend('editions', { scope: 'file' }, ({ desk }) => async (query: string): Promise<string[]> => {
    const reply = await desk.call('GET', `/editions?${query}`)
    return pageOf(deskEditionSummary)
      .parse(reply.json())
      .data.map(({ key }) => key)
  })
  .extend('memos', { scope: 'file' }, ({ desk }) => async (query: string) => {
    const reply = await desk.call('GET', `/memos?${query}`)
    return pageOf(foundMemo.strict()).parse(reply.json())
  })
  .extend('articles', { scope: 'file' }, ({ desk }) => async (query: string) => {
    const reply = await desk.call('GET', `/articles?${query}`)
    return pageOf(deskArticleSummary.strict()).parse(reply.json())
  })

it.beforeAll(async ({ desk }) => {
  for (const [key, title] of [
    ['05-01-41-10AM', 'Quagga one'],
    ['05-02-41-10AM', 'Quagga two'],
    ['05-02-41-3PM', 'Another animal'],
    ['05-03-41-10AM', 'Quagga three'],
  ] as const) {
    await desk.draft(key)
    await desk.addMemo(key, { title })
  }
  await desk.addMemo('05-03-41-10AM', {
    title: 'Hidden in the body',
    memo_content: '<p>Über <strong>zebra</strong>fish &amp; 100% of “wool”.</p>',
    source: 'https://example.com/okapi',
    media_text: '<p>Caption with gnu</p>',
  })
  await desk.publish('05-02-41-10AM')
})

describe('GET /desk/v1/editions', () => {
  it('finds withdrawn editions and their memos, and says that readers had them', async ({
    desk,
    editions,
    memos,
  }) => {
    const key = '06-01-41-10AM'
    await desk.draft(key)
    await desk.addMemo(key, { title: 'Taken back' })
    const { version } = await desk.publish(key)
    await desk.call('PUT', `/editions/${key}`, { body: { status: 'draft' }, ifMatch: `"${version}"` })
    const day = 'from=2041-06-01&to=2041-06-01'

    expect(await editions(`${day}&status=withdrawn`)).toEqual([key])
    expect(await editions('from=2041-05-01&to=2041-05-03&status=withdrawn')).toEqual([])
    expect(await editions(`${day}&status=published`)).toEqual([])
    expect((await memos(`${day}&status=withdrawn`)).data).toMatchObject([
      { title: 'Taken back', editionStatus: 'draft', editionWithdrawn: true },
    ])
    expect((await desk.read(key)).withdrawn).toBe(true)
  })

  it('filters by status, days and the words of memos, together and page by page', async ({
    desk,
    editions,
  }) => {
    const days = 'from=2041-05-01&to=2041-05-03'

    expect(await editions(days)).toEqual(['05-03-41-10AM', '05-02-41-3PM', '05-02-41-10AM', '05-01-41-10AM'])
    expect(await editions(`${days}&status=draft`)).toEqual(['05-03-41-10AM', '05-02-41-3PM', '05-01-41-10AM'])
    expect(await editions('from=2041-05-02&to=2041-05-02&status=published')).toEqual(['05-02-41-10AM'])
    expect(await editions('q=quagga')).toEqual(['05-03-41-10AM', '05-02-41-10AM', '05-01-41-10AM'])
    expect(await editions('q=quagga&status=draft&to=2041-05-02')).toEqual(['05-01-41-10AM'])
    expect(await editions('q=quagga%20another')).toEqual([])
    const first = await desk.call('GET', '/editions?q=quagga&limit=2')
    expect(await editions(`q=quagga&limit=2&after=${first.json().next}`)).toEqual(['05-01-41-10AM'])
  })

  it.for([
    'status=stopped',
    'from=05-01-41',
    'to=2041-13-01',
    'from=1999-01-01',
    'q=',
    'q=%20',
    'q=a%00b',
    'by=me',
  ])('rejects the query %s', async (query, { desk }) => {
    const reply = await desk.call('GET', `/editions?${query}`)

    expect(refusalOf(reply)).toMatchObject({ status: 400, code: 'invalid-request' })
  })
})

describe('GET /desk/v1/memos', () => {
  it.for([
    ['a part of a word in the body, across tags', 'ebrafi'],
    ['words in any case and order', 'WOOL über'],
    ['a sign that LIKE knows', '100%25'],
    ['a word after an entity', '%26%20100'],
    ['straight quotes', '%22wool%22'],
    ['the source', 'okapi'],
    ['the caption', 'gnu'],
  ] as const)('finds %s', async ([_what, q], { memos }) => {
    const { data, next } = await memos(`q=${q}&from=2041-05-03`)

    expect(data.map(({ title }) => title)).toEqual(['Hidden in the body'])
    expect(next).toBeNull()
  })

  it.for(['strong', 'zebra%25fish', 'okap_', 'quagga%20gnu'])('does not find %s', async (q, { memos }) => {
    expect((await memos(`q=${q}&from=2041-05-03`)).data).toEqual([])
  })

  it('returns each with its edition, its status and an excerpt, without HTML', async ({ memos }) => {
    const { data } = await memos('q=zebrafish')

    expect(data).toMatchObject([
      {
        edition: '05-03-41-10AM',
        editionStatus: 'draft',
        position: 2,
        title: 'Hidden in the body',
        excerpt: 'Über zebrafish & 100% of “wool”.',
      },
    ])
  })

  it('filters by status and days, and pages newest day first', async ({ memos }) => {
    const titles = async (query: string) => (await memos(query)).data.map(({ title }) => title)

    expect(await titles('q=quagga&status=published')).toEqual(['Quagga two'])
    expect(await titles('from=2041-05-02&to=2041-05-02')).toEqual(['Another animal', 'Quagga two'])
    const seen: string[] = []
    let after: string | null = ''
    while (after !== null) {
      const page = await memos(`q=quagga&limit=1${after === '' ? '' : `&after=${after}`}`)
      seen.push(...page.data.map(({ title }) => title))
      after = page.next
    }
    expect(seen).toEqual(['Quagga three', 'Quagga two', 'Quagga one'])
  })

  it.for([
    'after=x',
    'after=2041-05-01',
    'after=2041-02-30_0193a000-0000-7000-8000-000000000000',
    'limit=0',
    'status=x',
  ])('rejects the query %s', async (query, { desk }) => {
    const reply = await desk.call('GET', `/memos?${query}`)

    expect(refusalOf(reply)).toMatchObject({ status: 400, code: 'invalid-request' })
  })
})

describe('GET /desk/v1/articles', () => {
  it('lists articles without texts, by status, day of creation and words', async ({
    site,
    desk,
    articles,
  }) => {
    const draft = await desk.addArticle({
      title: 'Numbat draft',
      memo_content: '<p>Of a <em>tama</em>rin.</p>',
    })
    const published = await desk.addArticle({ title: 'Numbat', status: 'published' })
    const old = await desk.addArticle({ title: 'Numbat of old' })
    await site.context.database.db.article.update({
      where: { id: old.id },
      data: { createdAt: '2022-03-06T07:59:59.999Z' },
    })
    const ids = async (query: string) => (await articles(query)).data.map(({ id }) => id)

    expect(await ids('q=numbat')).toEqual([old.id, published.id, draft.id])
    expect(await ids('q=numbat&status=draft')).toEqual([old.id, draft.id])
    expect(await ids('q=tamarin')).toEqual([draft.id])
    expect(await ids('q=numbat&from=2022-03-05&to=2022-03-05')).toEqual([old.id])
    expect(await ids('q=numbat&to=2022-03-04')).toEqual([])
    const { memo_content: _, ...summary } = published
    expect((await articles('q=numbat&status=published')).data).toEqual([{ ...summary, hasChanges: false }])
    const first = await articles('q=numbat&limit=2')
    expect(await ids(`q=numbat&limit=2&after=${first.next}`)).toEqual([draft.id])
  })

  it('finds the words of a working copy, and the person who saved last', async ({ site, desk, articles }) => {
    const people = createTestPeople(site)
    const [ada, bo] = [await people.add('writer'), await people.add('editor')]
    const { id } = await desk.addArticle({ title: 'Wombat', status: 'published' })
    const save = (person: TestPerson, version: number, title: string) => {
      const headers = { 'if-match': `"${version}"` }
      return people.as(person, 'PUT', `/articles/${id}/working-copy`, { body: { title }, headers })
    }
    const ids = async (query: string) => (await articles(query)).data.map((found) => found.id)

    await save(ada, 1, 'Bandicoot')
    const [found] = (await articles(`q=bandicoot&person=${ada.id}`)).data
    const ofAda = await ids(`person=${ada.id}`)
    await save(bo, 2, 'Quokka')

    expect(found).toMatchObject({ id, title: 'Wombat', hasChanges: true })
    expect(found?.savedBy).toBe((await people.you(ada)).name)
    expect([ofAda, await ids(`person=${ada.id}`), await ids(`person=${bo.id}`)]).toEqual([[id], [], [id]])
    expect([await ids('q=wombat'), await ids('q=quokka'), await ids('q=bandicoot')]).toEqual([[id], [id], []])
  })

  it.for(['status=held', 'from=yesterday', 'q=', `q=${'x'.repeat(201)}`, 'person=Ada'])(
    'rejects the query %s',
    async (query, { desk }) => {
      const reply = await desk.call('GET', `/articles?${query}`)

      expect(refusalOf(reply)).toMatchObject({ status: 400, code: 'invalid-request' })
    },
  )
})
