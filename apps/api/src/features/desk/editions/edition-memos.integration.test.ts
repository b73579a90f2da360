import { deletedMemo } from '@tidings/contracts/desk/writing/versions'
import { pageOf } from '@tidings/contracts/envelope'
import { describe, expect } from 'vitest'
import { refusalOf } from '#test/desk.ts'
import { siteTest } from '#test/fixtures.ts'

const it = siteTest()

describe('PUT /desk/v1/editions/{key}/order', () => {
  it('sets the order at once, under its own version', async ({ desk }) => {
    const { key, ids } = await desk.newDraft(['A', 'B', 'C'])
    const order = (all: unknown[], version: number) =>
      desk.call('PUT', `/editions/${key}/order`, { body: { ids: all }, ifMatch: `"${version}"` })
    await desk.call('PATCH', `/memos/${ids[0]}`, { body: { title: 'A2' }, ifMatch: '"1"' })

    const reply = await order(ids.toReversed(), 1)

    expect(reply.json().data).toEqual({ version: 2, ids: ids.toReversed() })
    expect(await desk.places(key)).toEqual(['1 C', '2 B', '3 A2'])
    expect((await desk.readMemo(String(ids[2]))).version).toBe(1)
    const stale = await order(ids, 1)
    expect(stale.json().error).toMatchObject({ code: 'order-conflict', current: ids.toReversed() })
    expect((await order(ids.toReversed(), 2)).json().data.version).toBe(2)
    expect((await desk.auditOf(key)).filter(({ action }) => action === 'edition.order')).toHaveLength(1)
  })

  it('lets one of two editors win, and the other one sees the new order', async ({ desk }) => {
    const { key, ids } = await desk.newDraft(['A', 'B', 'C'])
    const [a, b, c] = ids
    const orders = [
      [b, a, c],
      [c, b, a],
    ]

    const replies = await Promise.all(
      orders.map((all) => desk.call('PUT', `/editions/${key}/order`, { body: { ids: all }, ifMatch: '"1"' })),
    )

    expect(replies.map(({ statusCode }) => statusCode).toSorted()).toEqual([200, 409])
    const winner = orders[replies.findIndex(({ statusCode }) => statusCode === 200)]
    const loser = replies.find(({ statusCode }) => statusCode === 409)
    expect(loser?.json().error.current).toEqual(winner)
  })

  it('rejects an order that leaves a memo out, repeats one or has a foreign one', async ({ desk }) => {
    const { key, ids } = await desk.newDraft(['A', 'B'])
    const other = await desk.newDraft(['X'])
    for (const all of [[ids[0]], [ids[0], ids[0]], [...ids, ...other.ids], []]) {
      const reply = await desk.call('PUT', `/editions/${key}/order`, { body: { ids: all }, ifMatch: '"1"' })
      expect(reply.statusCode).toBe(409)
      expect(reply.json().error.code).toBe('order-conflict')
    }
    const reply = await desk.call('PUT', `/editions/${key}/order`, { body: { ids } })
    expect(refusalOf(reply).code).toBe('version-required')
  })

  it('places memos that readers don’t have among the others', async ({ desk }) => {
    const { key, ids } = await desk.newDraft(['A', 'B'])
    await desk.publish(key)
    const { id } = (
      await desk.call('POST', `/editions/${key}/memos`, { body: { title: 'P', private: true } })
    ).json().data
    const { orderVersion } = await desk.read(key)
    const all = [ids[1], id, ids[0]]

    const reply = await desk.call('PUT', `/editions/${key}/order`, {
      body: { ids: all },
      ifMatch: `"${orderVersion}"`,
    })

    expect(reply.statusCode).toBe(200)
    expect(await desk.places(key)).toEqual(['1 B', '2 A'])
    expect((await desk.read(key)).workingCopies).toMatchObject([{ id, place: 2 }])
  })
})

describe('publishing what was seen', () => {
  it('is refused with the current state once a memo has changed', async ({ desk }) => {
    const { key, ids } = await desk.newDraft(['A'])
    const seen = (await desk.read(key)).version
    const { as, name } = await desk.keyWith('write')
    await desk.call('PATCH', `/memos/${ids[0]}`, { body: { title: 'B' }, ifMatch: '"1"', as })

    const stale = await desk.call('POST', `/editions/${key}/publish`, { ifMatch: `"${seen}"` })
    const current = await desk.call('POST', `/editions/${key}/publish`, { ifMatch: `"${seen + 1}"` })
    const again = await desk.call('POST', `/editions/${key}/publish`, { ifMatch: `"${seen + 1}"` })

    expect(stale.statusCode).toBe(409)
    expect(stale.json().error).toMatchObject({
      code: 'version-conflict',
      message: expect.stringContaining(name),
      current: { memos: [{ title: 'B' }] },
    })
    expect(current.statusCode).toBe(200)
    // A lost reply is repeated.
    expect(again.statusCode).toBe(200)
  })

  it('is refused for a changed order and for an added memo', async ({ desk }) => {
    const { key, ids } = await desk.newDraft(['A', 'B'])
    const publish = async (version: number) =>
      (await desk.call('POST', `/editions/${key}/publish`, { ifMatch: `"${version}"` })).statusCode
    const { version } = await desk.read(key)

    await desk.call('PUT', `/editions/${key}/order`, { body: { ids: ids.toReversed() }, ifMatch: '"1"' })
    expect(await publish(version)).toBe(409)
    await desk.addMemo(key)
    expect(await publish(version + 1)).toBe(409)
    expect(await publish(version + 2)).toBe(200)
  })

  it('publishes once for two editors at the same time', async ({ desk }) => {
    const { key } = await desk.newDraft(['A'])
    const { version } = await desk.read(key)

    const replies = await Promise.all(
      [1, 2].map(() => desk.call('POST', `/editions/${key}/publish`, { ifMatch: `"${version}"` })),
    )

    expect(replies.map(({ statusCode }) => statusCode)).toEqual([200, 200])
    expect((await desk.auditOf(key)).filter(({ action }) => action === 'edition.publish')).toHaveLength(1)
  })
})

describe('a time and a subject of its own', () => {
  it('are stored, and the time is before the next slot', async ({ desk }) => {
    const key = '12-20-26-3PM'
    const put = (body: object, version?: number) =>
      desk.call('PUT', `/editions/${key}`, {
        body,
        ...(version !== undefined && { ifMatch: `"${version}"` }),
      })
    const first = await put({ status: 'draft', subject: 'A quiet Sunday' })
    const { publishAt, version } = first.json().data
    const later = new Date(Date.parse(publishAt) + 90 * 60_000).toISOString()

    const scheduled = await put({ status: 'scheduled', publishAt: later }, version)
    const tooLate = await put(
      { status: 'scheduled', publishAt: new Date(Date.parse(publishAt) + 5 * 3_600_000).toISOString() },
      version + 1,
    )
    const past = await put({ status: 'scheduled', publishAt: '2020-01-01T00:00:00.000Z' }, version + 1)
    const draft = await put({ status: 'draft', publishAt: later }, version + 1)

    expect(scheduled.json().data).toMatchObject({
      status: 'scheduled',
      publishAt: later,
      subject: 'A quiet Sunday',
    })
    expect(refusalOf(tooLate).code).toBe('edition-after-next-slot')
    expect(refusalOf(past).code).toBe('edition-not-scheduled-in-future')
    expect(refusalOf(draft)).toMatchObject({ status: 400, code: 'invalid-request' })
  })
})

describe('what can be undone', () => {
  it('is the deletion of a public memo, with its likes and place', async ({ site, desk }) => {
    const { key, ids } = await desk.newDraft(['A', 'B', 'C'])
    await desk.publish(key)
    const like = { memoId: String(ids[1]), readerId: '0193a000-0000-7000-8000-00000000000a' }
    await site.context.database.db.memoLike.create({ data: like })
    await site.context.database.db.memo.update({ where: { id: like.memoId }, data: { likeCount: 1 } })
    await desk.call('DELETE', `/memos/${ids[1]}`, { ifMatch: '"1"' })
    expect(await desk.places(key)).toEqual(['1 A', '2 C'])
    const list = pageOf(deletedMemo).parse((await desk.call('GET', '/deleted-memos')).json())

    const replies = await Promise.all([1, 2].map(() => desk.call('POST', `/deleted-memos/${ids[1]}/restore`)))

    expect(list.data.find(({ id }) => id === ids[1])).toMatchObject({ edition: key, title: 'B' })
    expect(replies.map(({ statusCode }) => statusCode).toSorted()).toEqual([200, 404])
    expect(await desk.places(key)).toEqual(['1 A', '2 B', '3 C'])
    expect(await desk.readMemo(String(ids[1]))).toMatchObject({ counter: 1, version: 2 })
    expect(await site.context.database.db.memoLike.count({ where: like })).toBe(1)
  })

  it('ends after 30 days', async ({ site, desk }) => {
    const { ids } = await desk.newDraft(['A'])
    const deletedAt = site.clock.now().getTime()
    await desk.call('DELETE', `/memos/${ids[0]}`, { ifMatch: '"1"' })
    site.clock.moveTo(new Date(deletedAt + 30 * 24 * 3_600_000 + 1))

    await site.context.editionUndo.removeOld()

    const reply = await desk.call('POST', `/deleted-memos/${ids[0]}/restore`)
    expect(refusalOf(reply)).toMatchObject({ status: 404, code: 'deleted-memo-not-found' })
    site.clock.moveTo(new Date(deletedAt))
  })

  it('is the deletion of an edition that was never public, by bringing back its memos', async ({ desk }) => {
    const { key, ids } = await desk.newDraft(['A', 'B'])
    const { version } = await desk.read(key)

    const gone = await desk.call('DELETE', `/editions/${key}`, { ifMatch: `"${version}"` })

    expect(gone.statusCode).toBe(200)
    expect((await desk.call('GET', `/editions/${key}`)).statusCode).toBe(404)
    await desk.call('POST', `/deleted-memos/${ids[1]}/restore`)
    expect(await desk.places(key)).toEqual(['1 B'])
  })

  it('is a withdrawal, with the time of then and without a second delivery', async ({ site, desk }) => {
    const key = '12-21-26-3PM'
    await desk.draft(key, ['A'])
    const { publishedAt, version } = await desk.publish(key)
    site.clock.moveTo(new Date(site.clock.now().getTime() + 1_000))
    const put = await desk.call('PUT', `/editions/${key}`, {
      body: { status: 'draft' },
      ifMatch: `"${version}"`,
    })
    const deletion = await desk.call('DELETE', `/editions/${key}`, { ifMatch: `"${version + 1}"` })
    const undone = await desk.call('POST', `/editions/${key}/undo-withdrawal`)
    const again = await desk.call('POST', `/editions/${key}/undo-withdrawal`)

    expect(put.statusCode).toBe(200)
    expect(refusalOf(deletion).code).toBe('edition-was-public')
    expect(undone.statusCode).toBe(200)
    expect(await desk.read(key)).toMatchObject({ status: 'published', publishedAt })
    expect(refusalOf(again).code).toBe('edition-not-withdrawn')
  })
})

describe('an unfinished memo at the edition’s time', () => {
  it('is left out, reported, and waits at the desk', async ({ site, desk }) => {
    const key = '12-22-26-10AM'
    await desk.draft(key)
    await desk.addMemo(key, { title: '' })
    const { id } = await desk.addMemo(key, { title: 'Done' })
    await desk.call('PUT', `/editions/${key}`, { body: { status: 'scheduled' }, ifMatch: '"3"' })
    const edition = await desk.read(key)
    site.clock.moveTo(new Date(edition.publishAt))

    await site.context.publishing.sweep()

    const after = await desk.read(key)
    expect(after.status).toBe('published')
    expect(after.memos).toMatchObject([{ id, position: 1 }])
    expect(after.workingCopies).toMatchObject([{ isPublic: false, place: 1 }])
    expect((await desk.auditOf(key)).map(({ action }) => action)).toContain('edition.leave-out')
  })
})
