import pg from 'pg'
import { describe, expect, onTestFinished, vi } from 'vitest'
import { draftEdition, publishedEdition } from '#test/factories/editions.ts'
import { siteTest } from '#test/fixtures.ts'
import { terminateListeners, waitForNotifications } from '#test/other-processes.ts'
import type { TestApp } from '#test/test-app.ts'
import { waitOptions } from '#test/wait-options.ts'

// Each of two processes must see the other's changes.
const it = siteTest({ overrides: { notificationIntervalMs: 200 } })

/** Returns the status and body of a process's response. */
async function read({ app, pass }: TestApp, url: string): Promise<{ status: number; body: string }> {
  const reply = await app.inject({ url, headers: { cookie: pass } })
  return { status: reply.statusCode, body: reply.body }
}

/** Returns how many reads missed the cache. */
async function countLoads({ context }: TestApp): Promise<number> {
  const text = await context.metrics.registry.metrics()
  return Number(/^tidings_cache_reads_total\{outcome="miss"\} (\d+)/m.exec(text)?.[1])
}

async function like({ app, pass }: TestApp, id: string | undefined): Promise<void> {
  await app.inject({
    method: 'POST',
    url: '/edition/update_counter',
    headers: { cookie: pass },
    payload: { id, add: true },
  })
}

async function publish({ context }: TestApp, key: string): Promise<void> {
  const [edition] = await context.database.db.edition.findMany({
    where: {
      slot: key.slice(9),
      date: new Date(`20${key.slice(6, 8)}-${key.slice(0, 2)}-${key.slice(3, 5)}`),
    },
  })
  if (edition === undefined) throw new Error(`There is no edition ${key}`)
  await context.database.transaction((tx) => context.publishing.publish(tx, edition, { as: 'archive' }))
}

describe('a cached response', () => {
  it('is not loaded again while nothing changes', async ({ site }) => {
    await publishedEdition(site.context, '11-01-26-10AM', 2)
    const url = '/edition/prod/11-01-26-10AM'
    await waitForNotifications(site)
    const first = await read(site, url)
    const loads = await countLoads(site)
    for (let times = 0; times < 5; times += 1) expect(await read(site, url)).toEqual(first)
    expect(await countLoads(site)).toBe(loads)
  })

  it('contains a like at once in its process, and soon in the other one', async ({ site, otherProcess }) => {
    const { memos } = await publishedEdition(site.context, '11-03-26-10AM', 1)
    const url = '/edition/prod/11-03-26-10AM'
    for (const process of [site, otherProcess])
      expect((await read(process, url)).body).toContain('"counter":0')
    await like(site, memos[0]?.id)
    await vi.waitFor(async () => {
      for (const process of [site, otherProcess])
        expect((await read(process, url)).body).toContain('"counter":1')
    }, waitOptions)
  })

  it('contains a new edition in both processes: the memos, the day and the archive', async ({
    site,
    otherProcess,
  }) => {
    await draftEdition(site.context, '11-04-26-10AM', 1)
    const urls = [
      '/edition/prod/11-04-26-10AM',
      '/edition/prod/get_time_list/11-04-26',
      '/edition/prod/get_list',
    ]
    for (const process of [site, otherProcess]) {
      expect((await read(process, urls[0] ?? '')).status).toBe(404)
      expect((await read(process, urls[1] ?? '')).body).toContain('"timeStamp":[]')
      expect((await read(process, urls[2] ?? '')).body).not.toContain('11-04-26')
    }
    await publish(site, '11-04-26-10AM')
    // The changing process invalidates its own cache at once.
    expect((await read(site, urls[0] ?? '')).status).toBe(200)
    await vi.waitFor(async () => {
      expect((await read(otherProcess, urls[0] ?? '')).status).toBe(200)
      expect((await read(otherProcess, urls[1] ?? '')).body).toContain('"timeStamp":["10AM"]')
      expect((await read(otherProcess, urls[2] ?? '')).body).toContain('11-04-26')
    }, waitOptions)
  })

  it('is invalidated in both processes when the edition is withdrawn', async ({ site, otherProcess }) => {
    const { edition } = await publishedEdition(site.context, '11-05-26-10AM', 1)
    const url = '/edition/prod/11-05-26-10AM'
    for (const process of [site, otherProcess]) expect((await read(process, url)).status).toBe(200)
    await site.context.database.transaction((tx) => site.context.publishing.withdraw(tx, edition))
    expect((await read(site, url)).status).toBe(404)
    await vi.waitFor(async () => expect((await read(otherProcess, url)).status).toBe(404), waitOptions)
    expect((await read(otherProcess, '/edition/prod/get_time_list/11-05-26')).body).toContain(
      '"timeStamp":[]',
    )
  })

  it('is not invalidated by a rolled back change', async ({ site }) => {
    const { edition } = await publishedEdition(site.context, '11-06-26-10AM', 1)
    const url = '/edition/prod/11-06-26-10AM'
    await waitForNotifications(site)
    await read(site, url)
    const loads = await countLoads(site)
    const failing = site.context.database.transaction(async (tx) => {
      await site.context.publishing.withdraw(tx, edition)
      throw new Error('changed our mind')
    })
    await expect(failing).rejects.toThrow('changed our mind')
    await waitForNotifications(site)
    expect((await read(site, url)).status).toBe(200)
    expect(await countLoads(site)).toBe(loads)
  })

  it('is not used while notifications cannot arrive, and is used again afterwards', async ({
    site,
    otherProcess,
  }) => {
    const { edition } = await publishedEdition(site.context, '11-07-26-10AM', 1)
    const url = '/edition/prod/11-07-26-10AM'
    expect((await read(otherProcess, url)).status).toBe(200)

    await terminateListeners(site)
    await vi.waitFor(() => expect(otherProcess.context.notifications.isListening()).toBe(false), waitOptions)
    // A direct change, for which no notification is sent.
    await site.context.database.db.edition.update({
      where: { id: edition.id },
      data: { status: 'draft', publishedAt: null },
    })
    expect((await read(otherProcess, url)).status).toBe(404)

    await vi.waitFor(() => {
      for (const { context } of [site, otherProcess]) expect(context.notifications.isListening()).toBe(true)
    }, waitOptions)
    expect((await read(otherProcess, url)).status).toBe(404)
    await publish(site, '11-07-26-10AM')
    await waitForNotifications(otherProcess)
    expect((await read(otherProcess, url)).status).toBe(200)
    const loads = await countLoads(otherProcess)
    await read(otherProcess, url)
    expect(await countLoads(otherProcess)).toBe(loads)
  })

  it('contains likes, whose notifications are coalesced', async ({ site, otherProcess }) => {
    const { memos } = await publishedEdition(site.context, '11-09-26-10AM', 1)
    const url = '/edition/prod/11-09-26-10AM'
    const listener = new pg.Client({ connectionString: site.context.config.database.listenUrl })
    onTestFinished(() => listener.end())
    await listener.connect()
    await listener.query('LISTEN tidings_invalidate')
    const heard: string[] = []
    listener.on('notification', ({ payload }) => void heard.push(payload ?? ''))
    await read(otherProcess, url)
    const startedAt = performance.now()
    for (let likes = 0; likes < 100; likes += 1) {
      await like({ ...site, pass: `tidings_gate=${site.context.gatePass.issue()}` }, memos[0]?.id)
    }
    await vi.waitFor(
      async () => expect((await read(otherProcess, url)).body).toContain('"counter":100'),
      waitOptions,
    )
    expect(heard.length).toBeLessThanOrEqual(2 + (performance.now() - startedAt) / 200)
  })

  it('contains every like of a burst in both processes', async ({ site, otherProcess }) => {
    const { memos } = await publishedEdition(site.context, '11-08-26-10AM', 1)
    const url = '/edition/prod/11-08-26-10AM'
    const burst = Array.from({ length: 60 }, async (_like, index) => {
      const process = index % 2 === 0 ? site : otherProcess
      await like({ ...process, pass: `tidings_gate=${process.context.gatePass.issue()}` }, memos[0]?.id)
      await read(process, url)
    })
    await Promise.all(burst)
    await vi.waitFor(async () => {
      for (const process of [site, otherProcess])
        expect((await read(process, url)).body).toContain('"counter":60')
    }, waitOptions)
  })
})
