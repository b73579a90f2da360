import { type DeskEditionSummary, deskEdition, deskEditionSummary } from '@tidings/contracts/desk/editions'
import { dataOf, pageOf } from '@tidings/contracts/envelope'
import { describe, expect } from 'vitest'
import { createTestDesk, refusalOf } from '#test/desk.ts'
import { siteTest } from '#test/fixtures.ts'
import { useTestApp } from '#test/test-app.ts'

const it = siteTest()

describe('GET /desk/v1/editions', () => {
  it('pages through every edition without gaps or duplicates, newest day first', async () => {
    const own = await useTestApp({ working: false })
    const ownDesk = createTestDesk(own)
    const keys = ['10-01-26', '10-02-26', '10-03-26'].flatMap((date) =>
      ['10AM', '3PM', '8PM'].map((slot) => `${date}-${slot}`),
    )
    for (const key of keys) await ownDesk.draft(key, ['First'])

    const pages: DeskEditionSummary[][] = []
    let after: string | null = ''
    while (after !== null) {
      const reply = await ownDesk.call('GET', `/editions?limit=4${after === '' ? '' : `&after=${after}`}`)
      const page = pageOf(deskEditionSummary).parse(reply.json())
      pages.push(page.data)
      after = page.next
      // A new edition does not shift the pages.
      if (pages.length === 1) await ownDesk.draft('10-04-26-10AM')
    }

    const seen = pages.flat()
    expect(pages.map((page) => page.length)).toEqual([4, 4, 1])
    expect(seen.map(({ key }) => key).sort()).toEqual(keys.sort())
    expect(seen.map(({ date }) => date)).toEqual([...seen.map(({ date }) => date)].sort().reverse())
    expect(seen.every(({ memoCount, status }) => memoCount === 1 && status === 'draft')).toBe(true)
  })

  it('counts the memos that are ready, as the edition itself does', async ({ desk }) => {
    await desk.draft('12-07-26-10AM', ['First'])
    await desk.addMemo('12-07-26-10AM', { ready: true })

    const reply = await desk.call('GET', '/editions?from=2026-12-07&to=2026-12-07')

    const [listed] = pageOf(deskEditionSummary).parse(reply.json()).data
    expect(listed).toMatchObject({ memoCount: 2, readyCount: 1 })
    expect(await desk.read('12-07-26-10AM')).toMatchObject({ memoCount: 2, readyCount: 1 })
  })

  it.for([
    ['limit=0'],
    ['limit=201'],
    ['limit=-1'],
    ['limit=many'],
    ['limit=1.5'],
    ['after=unknown'],
    ['after=0193a000-0000-7000-8000-000000000000'],
    ["after='%20OR%201=1"],
    [`after=${'x'.repeat(101)}`],
    ['page=2'],
    ['limit=5&limit=6'],
    ['limit=5&__proto__=1'],
  ] as const)('rejects the query %s', async ([query], { desk }) => {
    expect(refusalOf(await desk.call('GET', `/editions?${query}`))).toMatchObject({
      status: 400,
      code: 'invalid-request',
    })
  })
})

describe('GET /desk/v1/editions/{key}', () => {
  it('returns the memos in order and the version as ETag', async ({ desk }) => {
    await desk.draft('12-06-26-10AM', ['First', 'Second'])

    const reply = await desk.call('GET', '/editions/12-06-26-10AM')

    const { data } = dataOf(deskEdition).parse(reply.json())
    expect(data.memos.map(({ position, title }) => [position, title])).toEqual([
      [1, 'First'],
      [2, 'Second'],
    ])
    expect(reply.headers.etag).toBe(`"${data.version}"`)
    expect(reply.headers['cache-control']).toBe('no-store')
  })

  it('returns 404 for an edition that does not exist', async ({ desk }) => {
    expect(refusalOf(await desk.call('GET', '/editions/12-06-26-3PM'))).toMatchObject({
      status: 404,
      code: 'edition-not-found',
    })
  })
})
