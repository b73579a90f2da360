import { describe, expect, test, vi } from 'vitest'
import { z } from 'zod'
import { waitOptions } from '../wait-options.ts'
import { startOwnPostgres } from './own-postgres.ts'
import { callAsReader, callDesk, passGate } from './site-client.ts'
import { type SiteProcess, startApiProcess } from './site-process.ts'
import { startTcpProxy } from './tcp-proxy.ts'

const readers = 20
const readsOfEach = 50
const memoReply = z.object({ data: z.object({ id: z.string() }) })

const it = test
  .extend('settings', { scope: 'file' }, { fsync: 'off' })
  .extend('postgres', { scope: 'file' }, async ({ settings }, { onCleanup }) => {
    const server = await startOwnPostgres(settings)
    onCleanup(() => server.destroy())
    return server
  })

async function publish({ url }: SiteProcess, key: string): Promise<string> {
  await callDesk(url, 'PUT', `/desk/v1/editions/${key}`, { body: { status: 'draft' } })
  const memo = await callDesk(url, 'POST', `/desk/v1/editions/${key}/memos`, {
    body: { title: 'News', memo_content: '<p>News.</p>' },
  })
  await callDesk(url, 'POST', `/desk/v1/editions/${key}/publish`)
  return memoReply.parse(memo.body).data.id
}

/** Starts an API process behind a proxy, with one published and cached edition of each key. */
async function startSite(databaseUrl: string, keys: readonly string[], env: Record<string, string> = {}) {
  const proxy = await startTcpProxy(databaseUrl)
  const site = await startApiProcess({ databaseUrl: proxy.url, env })
  const cookie = await passGate(site.url)
  const memoIds: string[] = []
  for (const key of keys) memoIds.push(await publish(site, key))
  const get = async (path: string) => {
    const reply = await fetch(new URL(path, site.url), {
      headers: { cookie },
      signal: AbortSignal.timeout(30_000),
    })
    return { status: reply.status, headers: reply.headers, body: await reply.text() }
  }
  return { proxy, site, cookie, memoIds, get }
}

const isStale = ({ headers }: { headers: Headers }) => headers.get('cache-status')?.includes('ttl=') === true

type Get = Awaited<ReturnType<typeof startSite>>['get']

async function countMisses(get: Get): Promise<string | undefined> {
  return /^tidings_cache_reads_total\{outcome="miss"\} (\d+)/m.exec((await get('/metrics')).body)?.[1]
}

describe.for(['cut', 'freeze'] as const)('a database away (%s)', (fault) => {
  it('every cached edition and list is served, writes get 503, and nothing is stale after its return', async ({
    postgres,
  }) => {
    const key = fault === 'cut' ? '11-10-26-10AM' : '11-11-26-10AM'
    const { proxy, site, cookie, memoIds, get } = await startSite(postgres.url, [key])
    const paths = [
      `/edition/prod/${key}`,
      '/edition/prod/get_list',
      `/edition/prod/get_time_list/${key.slice(0, 8)}`,
      '/',
    ]
    await vi.waitFor(async () => {
      expect((await get('/metrics')).body).toMatch(
        /tidings_jobs_total\{queue="edition.published",outcome="done"\} 1/,
      )
      const before = await countMisses(get)
      for (const path of paths) expect((await get(path)).status).toBe(200)
      expect(await countMisses(get)).toBe(before)
    }, waitOptions)
    const like = () =>
      callAsReader(site.url, 'POST', '/edition/update_counter', cookie, { id: memoIds[0], add: true })
    const logged = site.log.length

    proxy[fault]()
    await vi.waitFor(async () => {
      const reply = await get(paths[0] ?? '')
      expect(isStale(reply)).toBe(true)
      expect(reply.status).toBe(200)
    }, waitOptions)
    const statuses = new Set<number>()
    const read = async () => {
      for (let number = 0; number < readsOfEach; number += 1) {
        statuses.add((await get(paths[number % paths.length] ?? '')).status)
      }
    }
    await Promise.all(Array.from({ length: readers }, read))
    const write = await fetch(new URL('/edition/update_counter', site.url), {
      method: 'POST',
      headers: { cookie, 'content-type': 'application/json' },
      body: JSON.stringify({ id: memoIds[0], add: true }),
    })
    const bytes = JSON.stringify(site.log.slice(logged)).length
    proxy.thaw()
    await vi.waitFor(async () => expect((await like()).status).toBe(200), waitOptions)
    const after = await Promise.all(paths.map(get))

    expect([...statuses]).toEqual([200])
    expect([write.status, write.headers.get('retry-after')]).toEqual([503, '2'])
    expect(bytes).toBeLessThan(10_000)
    expect(after.map(({ status }) => status)).toEqual([200, 200, 200, 200])
    expect(after.filter(isStale)).toEqual([])
    expect(after[0]?.body).toContain('"counter":1')
  })
})
