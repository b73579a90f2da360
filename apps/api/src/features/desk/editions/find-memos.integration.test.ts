import { deskEditionSummary } from '@tidings/contracts/desk/editions'
import { foundMemo } from '@tidings/contracts/desk/memos'
import { pageOf } from '@tidings/contracts/envelope'
import { describe, expect } from 'vitest'
import { refusalOf } from '#test/desk.ts'
import { siteTest } from '#test/fixtures.ts'
import { createTestPeople, type TestPerson } from '#test/passkeys/people.ts'
import { writerOf } from '#test/writing/memo-writer.ts'

const it = siteTest()
  .extend('people', { scope: 'file' }, ({ site }) => createTestPeople(site))
  .extend('find', { scope: 'file' }, ({ desk }) => async (query: string) => {
    const reply = await desk.call('GET', `/memos?${query}`)
    return pageOf(foundMemo.strict()).parse(reply.json())
  })
  .extend('titles', { scope: 'file' }, ({ find }) => async (q: string, query = ''): Promise<string[]> => {
    const { data } = await find(`q=${encodeURIComponent(q)}${query}`)
    return data.map(({ title }) => title).toSorted()
  })
  .extend('editions', { scope: 'file' }, ({ desk }) => async (query: string): Promise<string[]> => {
    const reply = await desk.call('GET', `/editions?${query}`)
    return pageOf(deskEditionSummary)
      .parse(reply.json())
      .data.map(({ key }) => key)
  })
  .extend('save', { scope: 'file' }, ({ people }) => {
    return async (person: TestPerson, id: string, version: number, body: object) => {
      const input = { body, headers: { 'if-match': `"${version}"` } }
      return await people.as(person, 'PUT', `/memos/${id}/working-copy`, input)
    }
  })

describe('what readers do not have', () => {
  it('is found in the working copy of a public memo, which is shown as it is written', async ({
    desk,
    find,
    editions,
  }) => {
    const { key, ids } = await desk.newDraft(['Wombat'])
    await desk.publish(key)
    const writer = writerOf(desk, String(ids[0]))
    await writer.save(1, {
      title: 'Wombats',
      memo_content: '<p>Of a bandicoot.</p>',
      media_alt: 'A numbat sleeps',
    })

    for (const q of ['bandicoot', 'numbat%20sleeps', 'wombats%20bandicoot']) {
      const { data } = await find(`q=${q}`)
      expect(data).toMatchObject([
        {
          id: ids[0],
          title: 'Wombats',
          excerpt: 'Of a bandicoot.',
          isPublic: true,
          changed: ['title', 'media_alt', 'memo_content'],
          version: 1,
          savedBy: 'EDITOR_API_KEY',
        },
      ])
      expect(await editions(`q=${q}`)).toEqual([key])
    }
    // The words that readers have are found too, and the memo is listed once.
    expect((await find('q=wombat%20news')).data.map(({ title }) => title)).toEqual(['Wombats'])
    expect((await find('q=wombat')).data).toHaveLength(1)

    await writer.discard(2)

    expect((await find('q=bandicoot')).data).toEqual([])
    expect(await editions('q=bandicoot')).toEqual([])
    expect((await find('q=wombat')).data).toMatchObject([{ title: 'Wombat', isPublic: true, changed: [] }])
  })

  it('is found as a memo that was never public', async ({ desk, find, editions }) => {
    const { key } = await desk.newDraft(['First'])
    await desk.publish(key)
    const draft = { title: 'Quokka', memo_content: '<p>Private kowari.</p>', private: true }
    const { id } = await desk.addMemo(key, draft)

    const { data } = await find('q=kowari%20quokka')

    expect(data).toMatchObject([
      { id, edition: key, editionStatus: 'published', position: 2, isPublic: false, changed: [], version: 1 },
    ])
    expect(await editions('q=kowari')).toEqual([key])
    expect((await find('q=kowari&status=draft')).data).toEqual([])
    await writerOf(desk, id).publish(1)
    expect((await find('q=kowari')).data).toMatchObject([{ id, isPublic: true }])
  })

  it('is the alt text of a memo in a draft', async ({ desk, titles }) => {
    const { key } = await desk.newDraft()
    await desk.addMemo(key, { title: 'With alt text', media_alt: 'A dibbler by night' })

    expect(await titles('dibbler night')).toEqual(['With alt text'])
  })

  it('keeps its place between two pages, whatever is saved meanwhile', async ({ desk, find }) => {
    const { key, ids } = await desk.newDraft(['Potoroo 1', 'Potoroo 2', 'Potoroo 3', 'Potoroo 4'])
    await desk.publish(key)
    const seen: string[] = []
    let after: string | null = ''
    while (after !== null) {
      const page: Awaited<ReturnType<typeof find>> = await find(
        `q=potoroo&limit=1${after === '' ? '' : `&after=${after}`}`,
      )
      const [memo] = page.data
      seen.push(String(memo?.id))
      after = page.next
      if (seen.length === 1)
        for (const id of ids) await writerOf(desk, id).save(1, { source: 'https://a.example/' })
      if (seen.length === 2) for (const id of ids) await writerOf(desk, id).publish(2)
      // The next page continues after a memo that is gone.
      if (seen.length === 3) await desk.call('DELETE', `/memos/${memo?.id}`, { ifMatch: '"3"' })
    }

    expect(seen).toEqual(ids.toReversed())
  })
})

describe('a page of editions', () => {
  it('continues after an edition that is gone', async ({ desk, editions }) => {
    const keys = ['06-01-72-10AM', '06-02-72-10AM', '06-03-72-10AM']
    for (const key of keys) await desk.draft(key, ['Pademelon'])
    const first = await desk.call('GET', '/editions?q=pademelon&limit=1')
    const { version } = await desk.read('06-03-72-10AM')
    await desk.call('DELETE', '/editions/06-03-72-10AM', { ifMatch: `"${version}"` })

    const rest = await editions(`q=pademelon&after=${first.json().next}`)

    expect(first.json().data).toMatchObject([{ key: '06-03-72-10AM' }])
    expect(rest).toEqual(['06-02-72-10AM', '06-01-72-10AM'])
  })
})

describe('the filter by person', () => {
  it('finds what a person saved last, also in a working copy', async ({
    desk,
    people,
    find,
    editions,
    save,
  }) => {
    const [ada, bo] = [await people.add('writer'), await people.add('writer')]
    const draft = await desk.newDraft(['Bilby draft', 'Other'])
    const published = await desk.newDraft(['Bilby published'])
    await desk.publish(published.key)
    await save(ada, String(draft.ids[0]), 1, { title: 'Bilby of Ada' })
    await save(ada, String(published.ids[0]), 1, { title: 'Bilby corrected' })
    const titles = async (query: string) => (await find(query)).data.map(({ title }) => title).toSorted()

    expect(await titles(`person=${ada.id}`)).toEqual(['Bilby corrected', 'Bilby of Ada'])
    expect((await editions(`person=${ada.id}`)).toSorted()).toEqual([draft.key, published.key].toSorted())
    expect(await titles(`person=${ada.id}&status=published`)).toEqual(['Bilby corrected'])
    expect(await titles(`person=${ada.id}&q=corrected`)).toEqual(['Bilby corrected'])
    expect(await editions(`person=${ada.id}&q=corrected`)).toEqual([published.key])
    expect(await editions(`person=${ada.id}&q=other`)).toEqual([])
    expect(await titles(`person=${bo.id}`)).toEqual([])

    await save(bo, String(draft.ids[0]), 2, { title: 'Bilby of Bo' })

    expect(await titles(`person=${ada.id}`)).toEqual(['Bilby corrected'])
    expect(await titles(`person=${bo.id}`)).toEqual(['Bilby of Bo'])
    expect(await editions(`person=${bo.id}&status=draft`)).toEqual([draft.key])
  })

  it.for(['/memos', '/editions', '/deleted-memos'])('of %s rejects what is no id', async (path, { desk }) => {
    for (const query of ['person=Ada', 'person=', 'by=Ada', 'q=%25', 'q=%E2%80%94', 'from=2041-02-30']) {
      const reply = await desk.call('GET', `${path}?${query}`)
      expect(refusalOf(reply), query).toMatchObject({ status: 400, code: 'invalid-request' })
    }
  })
})

describe('short words', () => {
  it('of one or two letters are found at the beginning of a word', async ({ desk, titles }) => {
    const { key } = await desk.newDraft([
      'The EU decides',
      'A museum',
      'Rules (eu)',
      'Brussels–EU',
      'C++ and Éu',
    ])
    const edition = await desk.read(key)
    expect(edition.memos).toHaveLength(5)
    const day = `&from=20${key.slice(6, 8)}-${key.slice(0, 5)}&to=20${key.slice(6, 8)}-${key.slice(0, 5)}`

    expect(await titles('EU', day)).toEqual(['Brussels–EU', 'Rules (eu)', 'The EU decides'])
    expect(await titles('mu', day)).toEqual(['A museum'])
    expect(await titles('us', day)).toEqual([])
    expect(await titles('c+', day)).toEqual(['C++ and Éu'])
    expect(await titles('éu', day)).toEqual(['C++ and Éu'])
    expect(await titles('(eu)', day)).toEqual(['Rules (eu)'])
    expect(await titles('eu decides', day)).toEqual(['The EU decides'])
    expect(await titles('s-e', day)).toEqual([])
    expect(await titles('Brussels-eu', day)).toEqual(['Brussels–EU'])
  })

  it('of Chinese, Japanese and Korean are found everywhere', async ({ desk, titles }) => {
    await desk.newDraft(['东京都的天气', '今日は雨です。', '서울의 날씨', 'A东京 map'])

    expect(await titles('天')).toEqual(['东京都的天气'])
    expect(await titles('天气')).toEqual(['东京都的天气'])
    expect(await titles('京都')).toEqual(['东京都的天气'])
    expect(await titles('气')).toEqual(['东京都的天气'])
    expect(await titles('东京')).toEqual(['A东京 map', '东京都的天气'])
    expect(await titles('东京都的天气')).toEqual(['东京都的天气'])
    expect(await titles('a东京')).toEqual(['A东京 map'])
    expect(await titles('东都')).toEqual([])
    expect(await titles('雨')).toEqual(['今日は雨です。'])
    expect(await titles('雨です。')).toEqual(['今日は雨です。'])
    expect(await titles('날씨')).toEqual(['서울의 날씨'])
  })
})
