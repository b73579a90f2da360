import { deletedMemo } from '@tidings/contracts/desk/writing/versions'
import { pageOf } from '@tidings/contracts/envelope'
import { describe, expect } from 'vitest'
import { refusalOf } from '#test/desk.ts'
import { siteTest } from '#test/fixtures.ts'
import { createTestPeople } from '#test/passkeys/people.ts'
import { writerOf } from '#test/writing/memo-writer.ts'

const it = siteTest()
  .extend('people', { scope: 'file' }, ({ site }) => createTestPeople(site))
  .extend('list', { scope: 'file' }, ({ desk }) => async (query: string) => {
    return pageOf(deletedMemo).parse((await desk.call('GET', `/deleted-memos?${query}`)).json())
  })

describe('GET /desk/v1/deleted-memos', () => {
  it('filters by words, days of editions and the person who deleted', async ({ desk, people, list }) => {
    const editor = await people.add('editor')
    for (const [key, title] of [
      ['05-01-71-10AM', 'Thylacine one'],
      ['05-02-71-10AM', 'Thylacine two'],
      ['05-03-71-3PM', 'Thylacine three'],
    ] as const) {
      await desk.draft(key)
      const { id } = await desk.addMemo(key, {
        title,
        media_alt: `Alt of ${title}`,
        source: 'https://a.example/',
      })
      if (key.endsWith('3PM')) {
        await people.as(editor, 'DELETE', `/memos/${id}`, { headers: { 'if-match': '"1"' } })
      } else await desk.call('DELETE', `/memos/${id}`, { ifMatch: '"1"' })
    }
    const titles = async (query: string) => (await list(query)).data.map(({ title }) => title)

    expect(await titles('q=thylacine')).toEqual(['Thylacine three', 'Thylacine two', 'Thylacine one'])
    expect(await titles('q=ylac%20two')).toEqual(['Thylacine two'])
    expect(await titles('q=alt%20th%20one')).toEqual(['Thylacine one'])
    expect(await titles('q=a.example&from=2071-05-02')).toEqual(['Thylacine three', 'Thylacine two'])
    expect(await titles('from=2071-05-01&to=2071-05-02')).toEqual(['Thylacine two', 'Thylacine one'])
    expect(await titles(`person=${editor.id}`)).toEqual(['Thylacine three'])
    expect(await titles(`person=${editor.id}&to=2071-05-02`)).toEqual([])
  })

  it('has a memo that was never public, and pages on after one that was brought back', async ({
    desk,
    list,
  }) => {
    const { key } = await desk.newDraft(['First'])
    await desk.publish(key)
    for (const title of ['Koala 1', 'Koala 2', 'Koala 3']) {
      const { id } = await desk.addMemo(key, { title, private: true })
      await writerOf(desk, id).discard(1)
    }

    const first = await list('q=koala&limit=1')
    await desk.call('POST', `/deleted-memos/${first.data[0]?.id}/restore`)
    const second = await list(`q=koala&limit=1&after=${first.next}`)
    const third = await list(`q=koala&limit=1&after=${second.next}`)

    const pages = [first, second, third]
    expect(pages.map(({ data }) => data.map(({ title }) => title))).toEqual([
      ['Koala 3'],
      ['Koala 2'],
      ['Koala 1'],
    ])
    expect(third.next).toBeNull()
  })

  it.for(['after=x', 'after=2041-05-01_0193a000-0000-7000-8000-000000000000', 'to=05-01-41', 'status=draft'])(
    'rejects the query %s',
    async (query, { desk }) => {
      const reply = await desk.call('GET', `/deleted-memos?${query}`)

      expect(refusalOf(reply)).toMatchObject({ status: 400, code: 'invalid-request' })
    },
  )
})
