import { deskEvent } from '@tidings/contracts/desk/events'
import { describe, expect } from 'vitest'
import { createTestDiscussion } from '#test/content/discussion.ts'
import { draftEdition } from '#test/factories/editions.ts'
import { siteTest } from '#test/fixtures.ts'
import { waitForNotifications } from '#test/other-processes.ts'
import { connectDesk } from '#test/sockets/desk-socket.ts'
import { testNow } from '#test/test-app.ts'
import { addWrittenArticle } from '#test/writing/article-writer.ts'

const body = { title: 'Secret title', memo_content: '<p>Secret text.</p>' }

const it = siteTest()
  /** Opens a desk at each process. Returns the events that have arrived. */
  .extend('openDesks', { scope: 'file' }, ({ site, otherProcess }) => async () => {
    const urls = [await site.listen(), await otherProcess.listen()]
    // Earlier changes are none of the test's.
    await waitForNotifications(site)
    await waitForNotifications(otherProcess)
    const clients = await Promise.all(urls.map((url) => connectDesk(url, { authorization: site.editor })))
    return {
      /** Returns what changes announced, which must be the same at both. */
      async events() {
        await waitForNotifications(site)
        await waitForNotifications(otherProcess)
        const [events, others] = await Promise.all(
          clients.map(async (client) => {
            // Frames that were sent before the pong have arrived before it.
            const pong = new Promise((resolve) => client.socket.once('pong', resolve))
            client.socket.ping()
            await pong
            return client.frames.filter(({ type }) => type !== 'presence' && type !== 'delivery')
          }),
        )
        expect(others).toEqual(events)
        return events ?? []
      },
    }
  })

describe('the events of the desk', () => {
  it('name a memo that is added, changed, moved or deleted, and its editor', async ({ desk, openDesks }) => {
    const { key, ids } = await desk.newDraft(['First'])
    const { as, name } = await desk.keyWith('read', 'write')
    const desks = await openDesks()

    const { data } = (await desk.call('POST', `/editions/${key}/memos`, { body, as })).json()
    await desk.call('PATCH', `/memos/${data.id}`, { body: { title: 'Other' }, ifMatch: '"1"', as })
    await desk.call('PATCH', `/memos/${data.id}`, { body: { position: 1 }, ifMatch: '"2"', as })
    await desk.call('DELETE', `/memos/${ids[0]}`, { ifMatch: '"1"', as })

    const by = { kind: 'key', id: expect.any(String), name }
    expect(await desks.events()).toEqual([
      { type: 'saved', memo: data.id, edition: key, version: 1, by },
      { type: 'saved', memo: data.id, edition: key, version: 2, by },
      { type: 'saved', memo: data.id, edition: key, version: 2, by },
      { type: 'removed', memo: ids[0], edition: key, by },
    ])
  })

  it('have no texts, and none is sent for a refused or repeated change', async ({ desk, openDesks }) => {
    const { key, ids } = await desk.newDraft(['First'])
    const desks = await openDesks()
    const add = () => desk.call('POST', `/editions/${key}/memos`, { body, key: `events-${key}` })

    await desk.call('PATCH', `/memos/${ids[0]}`, { body: { title: 'B' }, ifMatch: '"7"' })
    await desk.call('PATCH', `/memos/${ids[0]}`, {
      body: { memo_content: 'x'.repeat(40_001) },
      ifMatch: '"1"',
    })
    await add()
    await add()

    const events = await desks.events()
    expect(events).toMatchObject([{ type: 'saved', edition: key, version: 1 }])
    expect(JSON.stringify(events)).not.toContain('Secret')
  })

  it('name an edition whose status changes, and its editor', async ({ desk, openDesks }) => {
    const key = '02-01-40-10AM'
    const desks = await openDesks()
    const put = (status: string, version: number) =>
      desk.call('PUT', `/editions/${key}`, {
        body: { status },
        ...(version > 0 && { ifMatch: `"${version}"` }),
      })

    await put('draft', 0)
    await put('scheduled', 1)
    await put('draft', 2)
    await desk.publish(key)
    await desk.publish(key)

    const by = { kind: 'key', id: expect.any(String), name: 'EDITOR_API_KEY' }
    expect(await desks.events()).toEqual(
      ['draft', 'scheduled', 'draft', 'published'].map((status, index) => ({
        type: 'edition',
        edition: key,
        status,
        version: index + 1,
        by,
      })),
    )
  })

  it('name what the schedule publishes or holds, by no editor', async ({ site, desk, openDesks }) => {
    const { edition: full } = await draftEdition(site.context, '11-20-26-3PM', ['A memo'])
    const { edition: empty } = await draftEdition(site.context, '11-20-26-8PM', [])
    for (const key of ['11-20-26-3PM', '11-20-26-8PM']) {
      const { version } = await desk.read(key)
      await desk.call('PUT', `/editions/${key}`, { body: { status: 'scheduled' }, ifMatch: `"${version}"` })
    }
    const desks = await openDesks()

    for (const { id, publishAt } of [full, empty]) {
      site.clock.moveTo(publishAt)
      await site.context.publishing.publishIfDue(id)
    }
    site.clock.moveTo(testNow)

    expect(await desks.events()).toMatchObject([
      { type: 'edition', edition: '11-20-26-3PM', status: 'published', by: null },
      { type: 'edition', edition: '11-20-26-8PM', status: 'held', by: null },
    ])
  })

  it('name an article that is created, changed, published or deleted', async ({ desk, openDesks }) => {
    const desks = await openDesks()

    const { id } = await desk.addArticle()
    await desk.call('PATCH', `/articles/${id}`, { body: { title: 'Other' }, ifMatch: '"1"' })
    await desk.call('POST', `/articles/${id}/publish`)
    await desk.call('DELETE', `/articles/${id}`, { ifMatch: '"3"' })

    expect(await desks.events()).toMatchObject(
      [1, 2, 3, null].map((version) => ({ type: 'article', article: id, version })),
    )
  })

  it('name an article whose working copy is saved, published or dropped', async ({ desk, openDesks }) => {
    const { id, writer } = await addWrittenArticle(desk, { status: 'published' })
    const desks = await openDesks()

    await writer.save(1, { title: 'Secret title' })
    await writer.save(2, { title: 'Secret title' })
    await writer.publish(2)
    await writer.save(3, { title: 'Other' })
    await writer.discard(4)

    expect(await desks.events()).toMatchObject(
      [2, 3, 4, 5].map((version) => ({ type: 'article', article: id, version })),
    )
  })

  it('name a comment that is new, hidden or shown, and an author', async ({ desk, members, openDesks }) => {
    const talk = createTestDiscussion(members)
    const member = await members.signUp()
    const desks = await openDesks()

    const { id } = await talk.post(member, 'desk events', 'Secret opinion')
    for (const hidden of [true, true, false]) {
      await desk.call('PATCH', `/comments/${id}`, { body: { hidden } })
    }
    await desk.call('PATCH', `/comment-authors/${member.memberId}`, { body: { hidden: true } })

    const events = await desks.events()
    expect(events).toEqual([
      { type: 'comment', comment: id, change: 'new' },
      { type: 'comment', comment: id, change: 'hidden' },
      { type: 'comment', comment: id, change: 'shown' },
      { type: 'comment-author', member: member.memberId, change: 'hidden' },
    ])
    expect(events.every((event) => deskEvent.safeParse(event).success)).toBe(true)
  })
})
