import { describe, expect } from 'vitest'
import { siteTest } from '#test/fixtures.ts'
import { connectLive } from '#test/live-client.ts'

const it = siteTest()
  .extend('urls', { scope: 'file' }, async ({ site, otherProcess }) => [
    await site.listen(),
    await otherProcess.listen(),
  ])
  /** Publishes an edition, then connects a reader to each process. */
  .extend('publishForReaders', { scope: 'file' }, ({ site, urls, desk }) => {
    return async (titles: readonly string[]) => {
      const { key, ids } = await desk.newDraft(titles)
      const connectAll = () => Promise.all(urls.map((url) => connectLive(url, { cookie: site.pass })))
      const early = await connectAll()
      await desk.publish(key)
      // Every process has announced the edition, so later readers get changes only.
      for (const reader of early) await reader.receive(titles.length)
      const readers = await connectAll()
      return { key, ids, readers }
    }
  })
  /** Changes a memo as an editor who has read its newest version. */
  .extend('edit', { scope: 'file' }, ({ desk }) => {
    return async (method: 'PATCH' | 'DELETE', id: string, body?: object) => {
      const { version } = await desk.readMemo(id)
      const call = { ifMatch: `"${version}"`, ...(body === undefined ? {} : { body }) }
      return (await desk.call(method, `/memos/${id}`, call)).statusCode
    }
  })

describe('MEMO_CHANGED', () => {
  it('brings a correction and the position to the readers of every process', async ({
    publishForReaders,
    edit,
  }) => {
    const { key, ids, readers } = await publishForReaders(['One', 'Two', 'Three'])

    await edit('PATCH', String(ids[2]), { title: 'Three, corrected', position: 1 })

    for (const reader of readers) {
      await reader.receive(1)
      expect(reader.frames).toMatchObject([
        {
          event: 'MEMO_CHANGED',
          data: {
            _id: ids[2],
            title: 'Three, corrected',
            memo_content: '<p>News.</p>',
            position: 1,
            date: key.slice(0, 8),
            time_stamp: '10AM',
          },
        },
      ])
    }
  })

  it('follows once the edition that it invalidates can be read again', async ({
    site,
    urls,
    publishForReaders,
    edit,
  }) => {
    const { key, ids, readers } = await publishForReaders(['One'])
    const read = async (url: string) =>
      await (await fetch(`${url}/edition/prod/${key}`, { headers: { cookie: site.pass } })).text()
    for (const url of urls) expect(await read(url)).toContain('"One"')

    await edit('PATCH', String(ids[0]), { title: 'One, corrected' })

    for (const [process, reader] of readers.entries()) {
      await reader.receive(1)
      expect(await read(String(urls[process]))).toContain('"One, corrected"')
    }
  })

  it('is not sent for a draft, nor for a change that is rejected', async ({
    desk,
    publishForReaders,
    edit,
  }) => {
    const { ids, readers } = await publishForReaders(['One'])
    const draft = await desk.newDraft(['Draft'])

    expect(await edit('PATCH', String(draft.ids[0]), { title: 'Still a draft' })).toBe(200)
    expect(await edit('PATCH', String(ids[0]), { media: 'missing.jpg' })).toBeGreaterThanOrEqual(400)
    await edit('PATCH', String(ids[0]), { title: 'Corrected' })

    for (const reader of readers) {
      await reader.receive(1)
      expect(reader.frames).toMatchObject([{ data: { title: 'Corrected' } }])
    }
  })
})

describe('MEMO_WITHDRAWN', () => {
  it('names the memo and its edition, and nothing of its text', async ({ publishForReaders, edit }) => {
    const { key, ids, readers } = await publishForReaders(['One', 'Two'])

    await edit('DELETE', String(ids[0]))

    for (const reader of readers) {
      await reader.receive(1)
      expect(reader.frames).toEqual([
        { event: 'MEMO_WITHDRAWN', data: { _id: ids[0], date: key.slice(0, 8), time_stamp: '10AM' } },
      ])
    }
  })

  it('is sent for each memo of an edition that is withdrawn', async ({ desk, publishForReaders }) => {
    const { key, ids, readers } = await publishForReaders(['One', 'Two'])
    const { version } = await desk.read(key)

    await desk.call('PUT', `/editions/${key}`, { body: { status: 'draft' }, ifMatch: `"${version}"` })

    for (const reader of readers) {
      await reader.receive(2)
      expect(reader.frames.map(({ event, data }) => [event, data._id])).toEqual(
        ids.map((id) => ['MEMO_WITHDRAWN', id]),
      )
    }
  })

  it('is followed by NEW_MEMO when the edition is published again', async ({ desk, publishForReaders }) => {
    const { key, readers } = await publishForReaders(['One'])
    const { version } = await desk.read(key)
    await desk.call('PUT', `/editions/${key}`, { body: { status: 'draft' }, ifMatch: `"${version}"` })

    await desk.publish(key)

    for (const reader of readers) {
      await reader.receive(2)
      expect(reader.frames.map(({ event }) => event)).toEqual(['MEMO_WITHDRAWN', 'NEW_MEMO'])
    }
  })
})
