import { describe, expect } from 'vitest'
import { siteTest } from '#test/fixtures.ts'
import { createTestPeople } from '#test/passkeys/people.ts'
import { connectDesk } from '#test/sockets/desk-socket.ts'

const it = siteTest().extend('people', { scope: 'file' }, ({ site }) => createTestPeople(site))

describe('people who write', () => {
  it('add private memos to a published edition, which editors publish', async ({ desk, people }) => {
    const { key } = await desk.newDraft(['First'])
    await desk.publish(key)
    const [writer, editor] = [await people.add('writer'), await people.add('editor')]

    const added = await people.call(
      'POST',
      `/editions/${key}/memos`,
      { body: { title: 'Of a writer' } },
      writer.cookie,
    )
    const { id, version } = added.json().data
    const path = `/memos/${id}/working-copy`
    const headers = (read: number) => ({ headers: { 'if-match': `"${read}"` } })
    const body = { memo_content: '<p>News.</p>' }
    const saved = await people.call('PUT', path, { body, ...headers(version) }, writer.cookie)
    const next = saved.json().data.version
    const refused = await people.call('POST', `${path}/publish`, headers(next), writer.cookie)
    const published = await people.call('POST', `${path}/publish`, headers(next), editor.cookie)

    expect(added.statusCode).toBe(201)
    expect(refused.json().error).toMatchObject({
      code: 'role-missing',
      message: 'Writers don’t publish. Mark the memos as ready.',
    })
    expect(published.statusCode).toBe(200)
    expect(await desk.places(key)).toEqual(['1 First', '2 Of a writer'])
    const log = await desk.auditOf(key)
    expect(log.map(({ action, personId }) => [action, personId])).toEqual([
      ['edition.publish', null],
      ['memo.write', writer.id],
      ['memo.publish', editor.id],
    ])
  })

  it('schedule an edition while another person types in it', async ({ desk, people }) => {
    const key = '12-27-26-3PM'
    await desk.draft(key, ['First'])
    const { memos, version } = await desk.read(key)
    const editor = await people.add('editor')
    await desk.call('PATCH', `/memos/${memos[0]?.id}`, { body: { title: 'Typed' }, ifMatch: '"1"' })
    const schedule = { body: { status: 'scheduled' }, headers: { 'if-match': `"${version}"` } }

    const reply = await people.call('PUT', `/editions/${key}`, schedule, editor.cookie)
    const again = await people.call(
      'PUT',
      `/editions/${key}`,
      { ...schedule, body: { status: 'draft' } },
      editor.cookie,
    )

    expect(reply.statusCode).toBe(200)
    // The edition itself was changed since: it was scheduled.
    expect(again.json().error.code).toBe('version-conflict')
  })

  it('get 401 for a save once their session has ended, and lose nothing that was saved', async ({
    desk,
    people,
  }) => {
    const { ids } = await desk.newDraft(['First'])
    const writer = await people.add('writer')
    const save = (title: string, version: number) =>
      people.call(
        'PUT',
        `/memos/${ids[0]}/working-copy`,
        { body: { title }, headers: { 'if-match': `"${version}"` } },
        writer.cookie,
      )
    await save('Saved', 1)
    await people.call('POST', '/sign-out', {}, writer.cookie)

    const replies = await Promise.all(Array.from({ length: 40 }, () => save('Lost', 2)))

    expect(new Set(replies.map(({ statusCode }) => statusCode))).toEqual(new Set([401]))
    expect((await desk.readMemo(String(ids[0]))).title).toBe('Saved')
    expect((await desk.call('GET', '/editions')).statusCode).toBe(200)
  })

  it('are seen by open desks, until their session ends', async ({ site, people }) => {
    const writer = await people.add('writer')
    const url = await site.listen()
    const client = await connectDesk(url, { cookie: writer.cookie, origin: people.origin })
    client.enter(null)
    const closed = new Promise<number>((resolve) => {
      client.socket.once('close', (code) => resolve(code))
    })

    await people.call('POST', '/sign-out', {}, writer.cookie)

    expect(await closed).toBe(1008)
    await expect(connectDesk(url, { cookie: writer.cookie, origin: people.origin })).rejects.toThrow('401')
    const other = await people.add('writer')
    await expect(
      connectDesk(url, { cookie: other.cookie, origin: 'https://elsewhere.example' }),
    ).rejects.toThrow('403')
  })
})
