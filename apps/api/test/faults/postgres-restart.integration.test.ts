import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { z } from 'zod'
import { connectLive } from '../live-client.ts'
import { waitOptions } from '../wait-options.ts'
import { startOwnPostgres } from './own-postgres.ts'
import { callAsReader, callDesk, passGate, type SiteReply } from './site-client.ts'
import { errorsOf, type SiteProcess, startApiProcess, startWorkerProcess } from './site-process.ts'

const key = '11-20-26-10AM'
const unavailable = { error: { code: 'service-unavailable', message: expect.any(String) } }
const memoReply = z.object({ data: z.object({ id: z.string() }) })
const editionReply = z.array(z.object({ _id: z.string(), counter: z.number() }))

/** The tests share a server; each leaves it running. */
const it = test
  .extend('settings', { scope: 'file' }, { fsync: 'off' })
  .extend('postgres', { scope: 'file' }, async ({ settings }, { onCleanup }) => {
    const server = await startOwnPostgres(settings)
    onCleanup(() => server.destroy())
    return server
  })

/** Repeats a request and keeps every response. */
function repeat(request: () => Promise<SiteReply>) {
  const replies: SiteReply[] = []
  let stopped = false
  async function loop(): Promise<void> {
    while (!stopped) replies.push(await request())
  }
  const done = loop()
  return {
    replies,
    statuses: () => new Set(replies.map(({ status }) => status)),
    stop: async () => {
      stopped = true
      await done
    },
  }
}

async function publishEdition({ url }: SiteProcess): Promise<string> {
  await callDesk(url, 'PUT', `/desk/v1/editions/${key}`, { body: { status: 'draft' } })
  const memo = await callDesk(url, 'POST', `/desk/v1/editions/${key}/memos`, {
    body: { title: 'Before', memo_content: '<p>Before.</p>' },
  })
  await callDesk(url, 'POST', `/desk/v1/editions/${key}/publish`)
  return memoReply.parse(memo.body).data.id
}

describe('Postgres restarted under load', () => {
  it('serves what is cached and refuses the rest with 503, then recovers including the listeners', async ({
    postgres,
  }) => {
    const [one, other] = await Promise.all([
      startApiProcess({ databaseUrl: postgres.url }),
      startApiProcess({ databaseUrl: postgres.url }),
    ])
    const cookie = await passGate(one.url)
    const memoId = await publishEdition(one)
    const before = await connectLive(other.url, { cookie })
    let add = false
    let number = 0
    const cachedReads = [
      repeat(() => callAsReader(one.url, 'GET', `/edition/prod/${key}`, cookie)),
      repeat(() => callAsReader(other.url, 'GET', '/edition/prod/get_list', cookie)),
    ]
    const calls = [
      repeat(() => callAsReader(other.url, 'POST', '/gate', cookie, { password: 'tidings' })),
      repeat(() => {
        add = !add
        return callAsReader(one.url, 'POST', '/edition/update_counter', cookie, { id: memoId, add })
      }),
      repeat(() => callDesk(other.url, 'GET', `/desk/v1/editions/${key}`)),
      repeat(() => {
        number += 1
        const title = `Article ${number}`
        return callDesk(one.url, 'POST', '/desk/v1/articles', { body: { title, memo_content: title } })
      }),
      repeat(() => {
        const day = `${String((number % 28) + 1).padStart(2, '0')}`
        return callDesk(other.url, 'PUT', `/desk/v1/editions/12-${day}-27-3PM`, {
          body: { status: 'scheduled' },
          headers: { 'if-match': '"1"' },
        })
      }),
    ]
    const loops = [...cachedReads, ...calls]
    await vi.waitFor(() => {
      for (const { replies } of loops) expect(replies.length).toBeGreaterThan(5)
    }, waitOptions)

    await postgres.stop()
    await vi.waitFor(() => {
      for (const { replies } of calls) expect(replies.at(-1)?.status).toBe(503)
    }, waitOptions)
    const ready = await fetch(new URL('/readyz', one.url))
    const alive = await fetch(new URL('/healthz', one.url))
    await postgres.start()
    await vi.waitFor(() => {
      for (const { replies } of loops) expect(replies.at(-1)?.status).not.toBe(503)
    }, waitOptions)
    for (const { stop } of loops) await stop()

    for (const site of [one, other]) {
      expect(site.isRunning()).toBe(true)
      expect(errorsOf(site)).toEqual([])
    }
    for (const { statuses } of cachedReads) expect([...statuses()]).toEqual([200])
    expect([ready.status, await ready.json()]).toMatchObject([200, { status: 'degraded' }])
    expect(alive.status).toBe(200)
    expect((await before.closed).code).toBe(1012)
    for (const { replies, statuses } of loops) {
      expect([...statuses()].filter((status) => ![200, 201, 409, 503].includes(status))).toEqual([])
      for (const { body } of replies.filter(({ status }) => status === 503)) {
        expect(body).toEqual(unavailable)
      }
    }

    await callAsReader(one.url, 'POST', '/edition/update_counter', cookie, { id: memoId, add: true })
    await vi.waitFor(async () => {
      const { body } = await callAsReader(other.url, 'GET', `/edition/prod/${key}`, cookie)
      expect(editionReply.parse(body)[0]?.counter).toBe(1)
    }, waitOptions)
    const after = await connectLive(other.url, { cookie })
    await callDesk(one.url, 'POST', `/desk/v1/editions/${key}/memos`, {
      body: { title: 'After', memo_content: '<p>After.</p>' },
    })
    await after.receive(1)
    expect(after.titles()).toEqual(['After'])
  })
})

describe('Postgres unavailable', () => {
  it('does not prevent a shutdown', async ({ postgres }) => {
    const processes = await Promise.all([
      startApiProcess({ databaseUrl: postgres.url }),
      startWorkerProcess({ databaseUrl: postgres.url }),
    ])
    await postgres.stop()
    onTestFinished(async () => void (await postgres.start()))

    await Promise.all(processes.map(({ end }) => end('SIGTERM')))

    for (const process of processes) {
      expect(process.isRunning()).toBe(false)
      expect(errorsOf(process)).toEqual([])
    }
  })
})
