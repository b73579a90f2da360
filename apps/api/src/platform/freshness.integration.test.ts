import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { draftEdition, publishedEdition } from '#test/factories/editions.ts'
import { terminateListeners, waitForNotifications } from '#test/other-processes.ts'
import { startTestApp, type TestApp } from '#test/test-app.ts'
import { createTestDatabase } from '#test/test-database.ts'
import { waitOptions } from '#test/wait-options.ts'

// Two processes on one database: what one changes, the other must see.
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

/** What a process answers: the status and the body. */
async function read({ app, pass }: TestApp, url: string): Promise<{ status: number; body: string }> {
  const reply = await app.inject({ url, headers: { cookie: pass } })
  return { status: reply.statusCode, body: reply.body }
}

/** How often a process had to ask the database for what it answered. */
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

describe('an answer that stands ready in memory', () => {
  it('is not loaded again as long as nothing changes', async () => {
    await publishedEdition(here.context, '11-01-26-10AM', 2)
    const url = '/edition/prod/11-01-26-10AM'
    await waitForNotifications(here)
    const first = await read(here, url)
    const loads = await countLoads(here)
    for (let times = 0; times < 5; times += 1) expect(await read(here, url)).toEqual(first)
    expect(await countLoads(here)).toBe(loads)
  })

  it('shows a like at once where it was made, and soon in the other process', async () => {
    const { memos } = await publishedEdition(here.context, '11-03-26-10AM', 1)
    const url = '/edition/prod/11-03-26-10AM'
    for (const process of [here, there]) expect((await read(process, url)).body).toContain('"counter":0')
    await like(here, memos[0]?.id)
    await vi.waitFor(async () => {
      for (const process of [here, there]) expect((await read(process, url)).body).toContain('"counter":1')
    }, waitOptions)
  })

  it('shows a publication in both processes: the memos, the day and the archive', async () => {
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
    // The process that made the change answers by it right away.
    expect((await read(here, urls[0] ?? '')).status).toBe(200)
    await vi.waitFor(async () => {
      expect((await read(there, urls[0] ?? '')).status).toBe(200)
      expect((await read(there, urls[1] ?? '')).body).toContain('"timeStamp":["10AM"]')
      expect((await read(there, urls[2] ?? '')).body).toContain('11-04-26')
    }, waitOptions)
  })

  it('is gone from both processes when the edition is withdrawn', async () => {
    const { edition } = await publishedEdition(here.context, '11-05-26-10AM', 1)
    const url = '/edition/prod/11-05-26-10AM'
    for (const process of [here, there]) expect((await read(process, url)).status).toBe(200)
    await here.context.database.transaction((tx) => here.context.publishing.withdraw(tx, edition))
    expect((await read(here, url)).status).toBe(404)
    await vi.waitFor(async () => expect((await read(there, url)).status).toBe(404), waitOptions)
    expect((await read(there, '/edition/prod/get_time_list/11-05-26')).body).toContain('"timeStamp":[]')
  })

  it('does not change with a change that was rolled back', async () => {
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

  it('is not believed while changes cannot be heard, and heals by itself', async () => {
    const { edition } = await publishedEdition(here.context, '11-07-26-10AM', 1)
    const url = '/edition/prod/11-07-26-10AM'
    expect((await read(there, url)).status).toBe(200)

    await terminateListeners(here)
    await vi.waitFor(() => expect(there.context.notifications.isListening()).toBe(false), waitOptions)
    // The change is made beside the processes, so that no notification tells of it.
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

  it('shows every like of a storm in both processes once it has passed', async () => {
    const { memos } = await publishedEdition(here.context, '11-08-26-10AM', 1)
    const url = '/edition/prod/11-08-26-10AM'
    const storm = Array.from({ length: 60 }, async (_like, index) => {
      const process = index % 2 === 0 ? here : there
      await like({ ...process, pass: `tidings_gate=${process.context.gatePass.issue()}` }, memos[0]?.id)
      await read(process, url)
    })
    await Promise.all(storm)
    await vi.waitFor(async () => {
      for (const process of [here, there]) expect((await read(process, url)).body).toContain('"counter":60')
    }, waitOptions)
  })
})
