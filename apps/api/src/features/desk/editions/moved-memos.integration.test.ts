import { workingCopy } from '@tidings/contracts/desk/memo-text'
import { dataOf } from '@tidings/contracts/envelope'
import { limits } from '@tidings/contracts/limits'
import { describe, expect } from 'vitest'
import { createBrowser } from '#test/content/likes.ts'
import { refusalOf, type TestDesk } from '#test/desk.ts'
import { siteTest } from '#test/fixtures.ts'
import { overtake } from '#test/row-locks.ts'
import { publishedMemo, writerOf } from '#test/writing/memo-writer.ts'

const it = siteTest()

const move = (desk: TestDesk, id: unknown, edition: string, { position, version = 1 }: Place = {}) =>
  desk.call('POST', `/memos/${String(id)}/move`, { body: { edition, position }, ifMatch: `"${version}"` })

type Place = { position?: number; version?: number }

/** Adds a memo that readers of a published edition don't have. Returns its id. */
async function addPrivate(desk: TestDesk, key: string, title: string): Promise<string> {
  return (await desk.addMemo(key, { title, private: true })).id
}

describe('POST /desk/v1/memos/{id}/move', () => {
  it('moves a memo of a draft to a place of another draft', async ({ desk }) => {
    const from = await desk.newDraft(['A', 'B'])
    const to = await desk.newDraft(['X'])

    const reply = await move(desk, from.ids[0], to.key, { position: 1 })

    expect(dataOf(workingCopy).parse(reply.json()).data).toMatchObject({
      edition: to.key,
      place: 1,
      version: 1,
    })
    expect(await desk.places(from.key)).toEqual(['1 B'])
    expect(await desk.places(to.key)).toEqual(['1 A', '2 X'])
    expect((await desk.auditOf(from.key)).map(({ action }) => action)).toContain('memo.move')
    expect((await desk.auditOf(to.key)).map(({ action }) => action)).toContain('memo.move')
  })

  it('moves a private memo of a published edition to a draft', async ({ desk }) => {
    const { key } = await publishedMemo(desk)
    const to = await desk.newDraft(['X'])
    const id = await addPrivate(desk, key, 'Too late for the morning')

    expect((await move(desk, id, to.key, { position: 1 })).statusCode).toBe(200)

    expect(await desk.places(to.key)).toEqual(['1 Too late for the morning', '2 X'])
    expect((await desk.read(key)).workingCopies).toEqual([])
  })

  it('moves a memo of a draft to a published edition, where it is private until it is published', async ({
    desk,
  }) => {
    const { key } = await publishedMemo(desk)
    const from = await desk.newDraft(['Breaking', 'B'])

    expect((await move(desk, from.ids[0], key)).statusCode).toBe(200)

    expect(await desk.places(key)).toEqual(['1 Before'])
    expect((await desk.read(key)).workingCopies).toMatchObject([{ title: 'Breaking', place: 2 }])
    expect(await desk.places(from.key)).toEqual(['1 B'])
    expect((await writerOf(desk, String(from.ids[0])).publish(1)).statusCode).toBe(200)
    expect(await desk.places(key)).toEqual(['1 Before', '2 Breaking'])
  })

  it('moves a private memo from one published edition to another', async ({ desk }) => {
    const [one, two] = [await publishedMemo(desk), await publishedMemo(desk)]
    const id = await addPrivate(desk, one.key, 'P')

    expect((await move(desk, id, two.key, { position: 1 })).statusCode).toBe(200)

    expect((await desk.read(one.key)).workingCopies).toEqual([])
    expect((await desk.read(two.key)).workingCopies).toMatchObject([{ id, place: 1 }])
  })

  it('only changes the place within its own edition', async ({ desk }) => {
    const { key, ids } = await desk.newDraft(['A', 'B', 'C'])

    expect((await move(desk, ids[0], key, { position: 3 })).statusCode).toBe(200)
    expect((await move(desk, ids[0], key)).statusCode).toBe(200)

    expect(await desk.places(key)).toEqual(['1 B', '2 C', '3 A'])
  })

  it('lets opposite moves at the same time not wait for each other', async ({ desk }) => {
    const [a, b] = [await desk.newDraft(['A', 'A2']), await desk.newDraft(['B', 'B2'])]
    for (let round = 0; round < 4; round += 1) {
      const [first, second] = round % 2 === 0 ? [b, a] : [a, b]
      const replies = await Promise.all([
        move(desk, a.ids[0], first.key, { position: 1 }),
        move(desk, b.ids[0], second.key, { position: 1 }),
      ])
      expect(replies.map(({ statusCode }) => statusCode)).toEqual([200, 200])
    }
    expect(await desk.places(a.key)).toEqual(['1 A', '2 A2'])
    expect(await desk.places(b.key)).toEqual(['1 B', '2 B2'])
  })

  it('refuses a memo that readers have or liked, a full edition and one that isn’t there', async ({
    site,
    desk,
  }) => {
    const { key, id } = await publishedMemo(desk)
    const to = await desk.newDraft()
    expect(refusalOf(await move(desk, id, to.key)).code).toBe('memo-not-movable')

    expect((await createBrowser({ site }).like(id)).statusCode).toBe(200)
    const { version } = await desk.read(key)
    await desk.call('PUT', `/editions/${key}`, { body: { status: 'draft' }, ifMatch: `"${version}"` })
    const other = await publishedMemo(desk)
    expect(refusalOf(await move(desk, id, other.key)).code).toBe('memo-not-movable')
    expect((await move(desk, id, to.key)).statusCode).toBe(200)
    expect((await desk.readMemo(id)).counter).toBe(1)

    const full = await desk.newDraft(Array.from({ length: limits.memosPerEdition }, (_, n) => `M${n}`))
    expect(refusalOf(await move(desk, id, full.key)).code).toBe('edition-full')
    expect(refusalOf(await move(desk, id, '01-01-41-10AM')).code).toBe('edition-not-found')
    expect(refusalOf(await move(desk, id, key, { version: 7 })).code).toBe('version-conflict')
  })
})

describe('a change that waits while its memo moves', () => {
  it.for([
    ['PATCH', '', { position: 1 }, ['1 B', '2 X']],
    ['PUT', '/working-copy', { title: 'Saved' }, ['1 X', '2 Saved']],
    ['DELETE', '', undefined, ['1 X']],
  ] as const)('is made in the other edition: %s', async ([method, path, body, places], { site, desk }) => {
    const from = await desk.newDraft(['A', 'B'])
    const to = await desk.newDraft(['X'])
    const id = String(from.ids[1])
    const sql = `
      WITH target AS (SELECT edition_id AS id FROM memo WHERE id = $2::uuid), source AS (
        UPDATE edition SET version = version + 1 WHERE id = (SELECT edition_id FROM memo WHERE id = $1::uuid)
      )
      UPDATE memo SET edition_id = target.id, position = 2 FROM target WHERE memo.id = $1::uuid`

    const reply = await overtake(site, {
      sql,
      values: [id, to.ids[0]],
      begin: () => desk.call(method, `/memos/${id}${path}`, { body, ifMatch: '"1"' }),
    })

    expect(reply.statusCode).toBe(200)
    expect(await desk.places(from.key)).toEqual(['1 A'])
    expect(await desk.places(to.key)).toEqual(places)
  })
})

describe('a memo that comes to its edition or leaves it', () => {
  it('keeps its version and notices a save that is older than what others saved', async ({ desk }) => {
    const { key } = await publishedMemo(desk)
    const to = await desk.newDraft()
    const id = await addPrivate(desk, key, 'First')
    const writer = writerOf(desk, id)
    await writer.save(1, { title: 'Second' })
    await writer.save(2, { source: 'https://news.example/' })

    await move(desk, id, to.key, { version: 3 })

    expect(refusalOf(await writer.save(1, { title: 'Other' })).code).toBe('version-conflict')
    expect((await writer.save(3, { title: 'Third' })).statusCode).toBe(200)
    expect(await writer.read()).toMatchObject({ title: 'Third', source: 'https://news.example/' })
  })

  it('also notices it once a private memo is public, and once a deleted one is back', async ({ desk }) => {
    const { key } = await publishedMemo(desk)
    const id = await addPrivate(desk, key, 'First')
    const writer = writerOf(desk, id)
    await desk.call('PUT', `/memos/${id}/working-copy`, {
      body: { title: 'Second', memo_content: '<p>News.</p>' },
      ifMatch: '"1"',
    })

    await writer.publish(2)
    expect(refusalOf(await writer.save(1, { title: 'Other' })).code).toBe('version-conflict')
    expect((await writer.save(2, { source: 'https://news.example/' })).statusCode).toBe(200)
    await writer.discard((await writer.read()).version)

    const { version } = await desk.readMemo(id)
    await desk.call('DELETE', `/memos/${id}`, { ifMatch: `"${version}"` })
    await desk.call('POST', `/deleted-memos/${id}/restore`)
    expect(refusalOf(await writer.save(1, { title: 'Other' })).code).toBe('version-conflict')
  })
})
