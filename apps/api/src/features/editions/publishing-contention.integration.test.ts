import { describe, expect, it, vi } from 'vitest'
import { createTestDesk } from '#test/desk.ts'
import { createFixedClock } from '#test/factories/fixed-clock.ts'
import { connectLive } from '#test/live-client.ts'
import { useTestApp } from '#test/test-app.ts'
import { createTestDatabase } from '#test/test-database.ts'
import { waitOptions } from '#test/wait-options.ts'

const key = '11-20-26-10AM'
const slotTime = new Date('2026-11-20T18:00:00.000Z')

async function threeProcesses() {
  const databaseUrl = await createTestDatabase()
  const first = await useTestApp({ databaseUrl })
  const overrides = { clock: first.clock }
  return [
    first,
    await useTestApp({ databaseUrl, overrides }),
    await useTestApp({ databaseUrl, overrides }),
  ] as const
}

describe('three processes with a due edition', () => {
  it('publish it once and announce it once', async () => {
    const processes = await threeProcesses()
    const [first] = processes
    const desk = createTestDesk(first)
    const reader = await connectLive(await first.listen(), { cookie: first.pass })
    await desk.draft(key, ['One', 'Two', 'Three'])
    await desk.call('PUT', `/editions/${key}`, { body: { status: 'scheduled' }, ifMatch: '"4"' })
    const { rows } = await first.context.database.pool.query<{ id: string }>('SELECT id FROM edition')
    const id = String(rows[0]?.id)
    first.clock.moveTo(slotTime)

    await Promise.all(
      processes.flatMap(({ context }) => [context.publishing.publishIfDue(id), context.publishing.sweep()]),
    )

    const { pool } = first.context.database
    await vi.waitFor(async () => {
      const { rows: jobs } = await pool.query(`SELECT state FROM jobs.job WHERE name = 'edition.published'`)
      expect(jobs).toEqual([{ state: 'completed' }])
    }, waitOptions)
    await reader.receive(3)
    expect(reader.titles()).toEqual(['One', 'Two', 'Three'])
    expect((await desk.read(key)).version).toBe(6)
    expect((await desk.auditOf(key)).filter(({ action }) => action === 'edition.publish')).toHaveLength(1)
  })
})

describe('a worker', () => {
  it('publishes a scheduled edition when its job runs, and announces it in every process', async () => {
    // The queue uses the database's clock, for which this slot is in the past.
    const dayKey = '01-05-01-10AM'
    const databaseUrl = await createTestDatabase()
    const worker = await useTestApp({
      databaseUrl,
      overrides: { clock: createFixedClock(new Date('2001-01-05T18:00:01.000Z')) },
    })
    const reader = await connectLive(await worker.listen(), { cookie: worker.pass })
    const editing = await useTestApp({
      databaseUrl,
      working: false,
      overrides: { clock: createFixedClock(new Date('2001-01-05T17:00:00.000Z')) },
    })
    const desk = createTestDesk(editing)
    await desk.draft(dayKey, ['One', 'Two'])

    await desk.call('PUT', `/editions/${dayKey}`, { body: { status: 'scheduled' }, ifMatch: '"3"' })

    await reader.receive(2)
    expect(reader.titles()).toEqual(['One', 'Two'])
    expect(await desk.read(dayKey)).toMatchObject({
      status: 'published',
      publishedAt: '2001-01-05T18:00:01.000Z',
    })
    expect((await desk.auditOf(dayKey)).at(-1)).toMatchObject({
      action: 'edition.publish',
      editor: 'the site itself',
    })
  })
})
