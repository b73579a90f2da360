import { listOrders } from '@tidings/contracts/desk/writing/orders'
import { describe, expect } from 'vitest'
import { refusalOf, type TestDesk } from '#test/desk.ts'
import { siteTest } from '#test/fixtures.ts'
import { createTestPeople } from '#test/passkeys/people.ts'

const it = siteTest()

/** Sets the order of an edition, and returns the reply. */
async function setOrder(desk: TestDesk, key: string, ids: readonly unknown[]) {
  const { orderVersion } = await desk.read(key)
  return await desk.call('PUT', `/editions/${key}/order`, { body: { ids }, ifMatch: `"${orderVersion}"` })
}

async function ordersOf(desk: TestDesk, key: string, query = '') {
  return listOrders.reply.parse((await desk.call('GET', `/editions/${key}/orders${query}`)).json())
}

const titlesOf = (memos: readonly { title: string | null }[]) => memos.map(({ title }) => title).join('')

describe('GET /desk/v1/editions/{key}/orders', () => {
  it('lists each change with who made it and the memos before and after, by page', async ({ desk, site }) => {
    const { key, ids } = await desk.newDraft(['A', 'B', 'C'])
    const [a, b, c] = ids
    expect(await ordersOf(desk, key)).toEqual({ data: [], next: null })
    await setOrder(desk, key, [b, a, c])
    const people = createTestPeople(site)
    const ines = await people.add('writer')
    const body = { ids: [c, b, a] }
    await people.as(ines, 'PUT', `/editions/${key}/order`, { body, headers: { 'If-Match': '"2"' } })
    await desk.call('PATCH', `/memos/${String(a)}`, { body: { title: 'A2' }, ifMatch: '"1"' })

    const first = await ordersOf(desk, key, '?limit=1')
    const second = await ordersOf(desk, key, `?limit=1&after=${String(first.next)}`)

    const all = [...first.data, ...second.data]
    expect(all.map(({ before, memos }) => [titlesOf(before), titlesOf(memos)])).toEqual([
      ['BA2C', 'CBA2'],
      ['A2BC', 'BA2C'],
    ])
    expect(all.map(({ editor, personId }) => [editor, personId])).toEqual([
      [expect.any(String), ines.id],
      ['EDITOR_API_KEY', null],
    ])
    expect(second.next).toBeNull()
    expect(all.flatMap(({ memos }) => memos).every(({ isHere }) => isHere)).toBe(true)
  })

  it('names memos that were deleted, moved away or forgotten', async ({ desk, site }) => {
    const { key, ids } = await desk.newDraft(['A', 'B', 'C', 'D'])
    const other = await desk.newDraft(['X'])
    await setOrder(desk, key, ids.toReversed())
    const [a, b, c] = ids.map(String)
    for (const id of [a, c]) await desk.call('DELETE', `/memos/${id}`, { ifMatch: '"1"' })
    await desk.call('POST', `/memos/${b}/move`, { body: { edition: other.key }, ifMatch: '"1"' })
    await site.context.database.db.deletedMemo.delete({ where: { memoId: String(c) } })

    const [change] = (await ordersOf(desk, key)).data

    expect(change?.memos.map(({ title, isHere }) => [title, isHere])).toEqual([
      ['D', true],
      [null, false],
      ['B', false],
      ['A', false],
    ])
  })

  it.for([
    ['12-29-26-10AM/orders', 404, 'edition-not-found'],
    ['nonsense/orders', 400, 'invalid-edition-key'],
    ['12-29-26-10AM/orders?after=1', 400, 'invalid-request'],
    ['12-29-26-10AM/orders?limit=0', 400, 'invalid-request'],
  ] as const)('refuses %s', async ([path, status, code], { desk }) => {
    expect(refusalOf(await desk.call('GET', `/editions/${path}`))).toMatchObject({ status, code })
  })
})
