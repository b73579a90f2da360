import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { draftEdition, publishedEdition } from '#test/factories/editions.ts'
import { terminateListeners, waitForNotifications } from '#test/other-processes.ts'
import { startTestApp, type TestApp } from '#test/test-app.ts'
import { createTestDatabase } from '#test/test-database.ts'
import { waitOptions } from '#test/wait-options.ts'

// Two processes on one database: each must see the other's changes.
let here: TestApp
let there: TestApp
beforeAll(async () => {
  const databaseUrl = await createTestDatabase()
  here = await startTestApp({ databaseUrl })
  there = await startTestApp({ databaseUrl })
})
afterAll(async () => {
  await here.close()
  await there.close()
})

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
  it('is not loaded again while nothing changes', async () => {
    await publishedEdition(here.context, '11-01-26-10AM', 2)
    const url = '/edition/prod/11-01-26-10AM'
    await waitForNotifications(here)
    const first = await read(here, url)
    const loads = await countLoads(here)
    for (let times = 0; times < 5; times += 1) expect(await read(here, url)).toEqual(first)
    expect(await countLoads(here)).toBe(loads)
  })

  it('contains a like at once in its process, and soon in the other one', async () => {
    const { memos } = await publishedEdition(here.context, '11-03-26-10AM', 1)
    const url = '/edition/prod/11-03-26-10AM'
    for (const process of [here, there]) expect((await read(process, url)).body).toContain('"counter":0')
    await like(here, memos[0]?.id)
    await vi.waitFor(async () => {
      for (const process of [here, there]) expect((await read(process, url)).body).toContain('"counter":1')
    }, waitOptions)
  })

  it('contains a new edition in both processes: the memos, the day and the archive', async () => {
    await draftEdition(here.context, '11-04-26-10AM', 1)
    const urls = [
      '/edition/prod/11-04-26-10AM',
      '/edition/prod/get_time_list/11-04-26',
      '/edition/prod/get_list',
    ]
    for (const process of [here, there]) {
      expect((await read(process, urls[0] ?? '')).status).toBe(404)
      expect((await read(process, urls[1] ?? '')).body).toContain('"timeStamp":[]')
      expect((await read(process, urls[2] ?? '')).body).not.toContain('11-04-26')
    }
    await publish(here, '11-04-26-10AM')
    // The changing process invalidates its own cache at once.
    expect((await read(here, urls[0] ?? '')).status).toBe(200)
    await vi.waitFor(async () => {
      expect((await read(there, urls[0] ?? '')).status).toBe(200)
      expect((await read(there, urls[1] ?? '')).body).toContain('"timeStamp":["10AM"]')
      expect((await read(there, urls[2] ?? '')).body).toContain('11-04-26')
    }, waitOptions)
  })

  it('is invalidated in both processes when the edition is withdrawn', async () => {
    const { edition } = await publishedEdition(here.context, '11-05-26-10AM', 1)
    const url = '/edition/prod/11-05-26-10AM'
    for (const process of [here, there]) expect((await read(process, url)).status).toBe(200)
    await here.context.database.transaction((tx) => here.context.publishing.withdraw(tx, edition))
    expect((await read(here, url)).status).toBe(404)
    await vi.waitFor(async () => expect((await read(there, url)).status).toBe(404), waitOptions)
    expect((await read(there, '/edition/prod/get_time_list/11-05-26')).body).toContain('"timeStamp":[]')
  })

  it('is not invalidated by a rolled back change', async () => {
    const { edition } = await publishedEdition(here.context, '11-06-26-10AM', 1)
    const url = '/edition/prod/11-06-26-10AM'
    await waitForNotifications(here)
    await read(here, url)
    const loads = await countLoads(here)
    const failing = here.context.database.transaction(async (tx) => {
      await here.context.publishing.withdraw(tx, edition)
      throw new Error('changed our mind')
    })
    await expect(failing).rejects.toThrow('changed our mind')
    await waitForNotifications(here)
    expect((await read(here, url)).status).toBe(200)
    expect(await countLoads(here)).toBe(loads)
  })

  it('is not used while notifications cannot arrive, and is used again afterwards', async () => {
    const { edition } = await publishedEdition(here.context, '11-07-26-10AM', 1)
    const url = '/edition/prod/11-07-26-10AM'
    expect((await read(there, url)).status).toBe(200)

    await terminateListeners(here)
    await vi.waitFor(() => expect(there.context.notifications.isListening()).toBe(false), waitOptions)
    // A direct change, for which no notification is sent.
    await here.context.database.db.edition.update({
      where: { id: edition.id },
      data: { status: 'draft', publishedAt: null },
    })
    expect((await read(there, url)).status).toBe(404)

    await vi.waitFor(() => {
      for (const { context } of [here, there]) expect(context.notifications.isListening()).toBe(true)
    }, waitOptions)
    expect((await read(there, url)).status).toBe(404)
    await publish(here, '11-07-26-10AM')
    await waitForNotifications(there)
    expect((await read(there, url)).status).toBe(200)
    const loads = await countLoads(there)
    await read(there, url)
    expect(await countLoads(there)).toBe(loads)
  })

  it('contains every like of a burst in both processes', async () => {
    const { memos } = await publishedEdition(here.context, '11-08-26-10AM', 1)
    const url = '/edition/prod/11-08-26-10AM'
    const burst = Array.from({ length: 60 }, async (_like, index) => {
      const process = index % 2 === 0 ? here : there
      await like({ ...process, pass: `tidings_gate=${process.context.gatePass.issue()}` }, memos[0]?.id)
      await read(process, url)
    })
    await Promise.all(burst)
    await vi.waitFor(async () => {
      for (const process of [here, there]) expect((await read(process, url)).body).toContain('"counter":60')
    }, waitOptions)
  })
})
