import { describe, expect } from 'vitest'
import { createTestDesk, refusalOf } from '#test/desk.ts'
import { siteTest } from '#test/fixtures.ts'
import { testNow, useTestApp } from '#test/test-app.ts'
import { createTestDatabase } from '#test/test-database.ts'
import { getEditionId } from './edition-keys.ts'
import { findEdition } from './editions.repository.ts'

// 11-20-26-10AM in Los Angeles.
const slotTime = new Date('2026-11-20T18:00:00.000Z')
const minuteMs = 60_000

const it = siteTest({ working: false })
  .extend('idOf', { scope: 'file' }, ({ site }) => async (key: string) => {
    return String((await findEdition(site.context.database.db, getEditionId(key)))?.id)
  })

  /** Creates a scheduled edition with one memo. Returns its id. */
  .extend(
    'scheduled',
    { scope: 'file' },
    ({ desk, idOf }) =>
      async (key: string, titles: readonly string[] = ['First']) => {
        const { version } = await desk.draft(key, titles)
        const reply = await desk.call('PUT', `/editions/${key}`, {
          body: { status: 'scheduled' },
          ifMatch: `"${version}"`,
        })
        expect(reply.statusCode).toBe(200)
        return await idOf(key)
      },
  )
  .extend('jobs', { scope: 'file' }, ({ site }) => async (name: string, editionId: string) => {
    const { rows } = await site.context.database.pool.query(
      `SELECT state, start_after FROM jobs.job WHERE name = $1 AND data->>'editionId' = $2`,
      [name, editionId],
    )
    return rows
  })
  .extend('removeEditions', { scope: 'file' }, ({ site }) => async () => {
    await site.context.database.pool.query('DELETE FROM memo; DELETE FROM edition')
  })

it.beforeEach(({ site }) => site.clock.moveTo(testNow))

const nightTest = siteTest({ working: false, env: { EDITION_SLOTS: 'EARLY=2:30' } })

function at(instant: Date, afterMs: number): Date {
  return new Date(instant.getTime() + afterMs)
}

describe('scheduling', () => {
  it("stores one job for the slot's time in the site's zone", async ({ desk, scheduled, jobs }) => {
    const id = await scheduled('11-20-26-10AM')

    expect((await desk.read('11-20-26-10AM')).publishAt).toBe(slotTime.toISOString())
    expect(await jobs('edition.due', id)).toEqual([{ state: 'created', start_after: slotTime }])
  })

  it.for([
    ['the day before the clocks go forward', '03-13-27-10AM', '2027-03-13T18:00:00.000Z'],
    ['the day on which the clocks go forward', '03-14-27-10AM', '2027-03-14T17:00:00.000Z'],
    ['the day before the clocks go back', '11-06-27-8PM', '2027-11-07T03:00:00.000Z'],
    ['the day on which the clocks go back', '11-07-27-10AM', '2027-11-07T18:00:00.000Z'],
    ['the evening of that day', '11-07-27-8PM', '2027-11-08T04:00:00.000Z'],
    ['New Year', '12-31-26-8PM', '2027-01-01T04:00:00.000Z'],
    ['a leap day', '02-29-28-3PM', '2028-02-29T23:00:00.000Z'],
    ['the last day of all', '12-31-99-8PM', '2100-01-01T04:00:00.000Z'],
  ] as const)("uses the site's zone on %s", async ([_day, key, instant], { desk, scheduled, jobs }) => {
    const id = await scheduled(key)

    expect((await desk.read(key)).publishAt).toBe(instant)
    expect((await jobs('edition.due', id))[0]?.start_after).toEqual(new Date(instant))
  })

  nightTest.for([
    {
      name: 'a slot in the hour that is skipped',
      key: '03-14-27-EARLY',
      instant: '2027-03-14T10:30:00.000Z',
    },
    {
      name: 'a slot in the hour that comes twice',
      key: '11-07-27-EARLY',
      instant: '2027-11-07T09:30:00.000Z',
    },
  ])('schedules $name', async ({ key, instant }, { desk }) => {
    const { publishAt } = await desk.draft(key)

    expect(new Date(publishAt).getTime()).toBeGreaterThanOrEqual(new Date(instant).getTime() - 60 * minuteMs)
    expect(new Date(publishAt).getTime()).toBeLessThanOrEqual(new Date(instant).getTime() + 60 * minuteMs)
  })

  it('is rejected at the minute of the slot and accepted just before', async ({ site, desk }) => {
    const key = '11-20-26-3PM'
    const time = new Date('2026-11-20T23:00:00.000Z')
    site.clock.moveTo(time)
    const refused = await desk.call('PUT', `/editions/${key}`, { body: { status: 'scheduled' } })
    site.clock.moveTo(at(time, -1))

    const allowed = await desk.call('PUT', `/editions/${key}`, { body: { status: 'scheduled' } })

    expect(refusalOf(refused)).toMatchObject({ status: 409, code: 'edition-not-scheduled-in-future' })
    expect(allowed.statusCode).toBe(201)
  })

  it('is undone by withdrawing the edition: it stays a draft at its time', async ({
    site,
    desk,
    scheduled,
    jobs,
  }) => {
    const id = await scheduled('11-21-26-10AM')
    const { version } = await desk.read('11-21-26-10AM')
    await desk.call('PUT', '/editions/11-21-26-10AM', { body: { status: 'draft' }, ifMatch: `"${version}"` })
    site.clock.moveTo(at(slotTime, 24 * 60 * minuteMs))

    await site.context.publishing.publishIfDue(id)
    await site.context.publishing.sweep()

    expect((await desk.read('11-21-26-10AM')).status).toBe('draft')
    expect(await jobs('edition.published', id)).toEqual([])
  })

  it('can be undone and repeated, and still publishes once', async ({ site, desk, scheduled, jobs }) => {
    const key = '11-22-26-10AM'
    const id = await scheduled(key)
    for (const status of ['draft', 'scheduled']) {
      const { version } = await desk.read(key)
      await desk.call('PUT', `/editions/${key}`, { body: { status }, ifMatch: `"${version}"` })
    }
    site.clock.moveTo(at(slotTime, 2 * 24 * 60 * minuteMs))

    // Every stored job runs.
    await site.context.publishing.publishIfDue(id)
    await site.context.publishing.publishIfDue(id)

    expect(await jobs('edition.due', id)).toHaveLength(2)
    expect((await desk.read(key)).status).toBe('published')
    expect(await jobs('edition.published', id)).toHaveLength(1)
  })

  it('uses the new time when it is scheduled again after the slot has moved', async () => {
    const databaseUrl = await createTestDatabase()
    const before = await useTestApp({ databaseUrl, working: false })
    await createTestDesk(before).draft('11-23-26-10AM', ['First'])
    await createTestDesk(before).call('PUT', '/editions/11-23-26-10AM', {
      body: { status: 'scheduled' },
      ifMatch: '"2"',
    })
    const after = await useTestApp({ databaseUrl, working: false, env: { EDITION_SLOTS: '10AM=10:15' } })

    const reply = await createTestDesk(after).call('PUT', '/editions/11-23-26-10AM', {
      body: { status: 'scheduled' },
      ifMatch: '"3"',
    })

    expect(reply.json().data.publishAt).toBe('2026-11-23T18:15:00.000Z')
  })
})

describe('publishIfDue', () => {
  it.beforeEach(({ removeEditions }) => removeEditions())

  it.for([
    { name: 'a minute before its time', afterMs: -minuteMs, status: 'scheduled' },
    { name: 'a millisecond before its time', afterMs: -1, status: 'scheduled' },
    { name: 'at its time', afterMs: 0, status: 'published' },
    { name: 'a little late', afterMs: 5 * minuteMs, status: 'published' },
    { name: 'at the very end of the lateness', afterMs: 30 * minuteMs, status: 'published' },
    { name: 'too late', afterMs: 30 * minuteMs + 1, status: 'held' },
    { name: 'days too late', afterMs: 3 * 24 * 60 * minuteMs, status: 'held' },
  ])('leaves it $status $name', async ({ afterMs, status }, { site, desk, scheduled, jobs }) => {
    const id = await scheduled('11-20-26-10AM')
    site.clock.moveTo(at(slotTime, afterMs))

    await site.context.publishing.publishIfDue(id)

    const edition = await desk.read('11-20-26-10AM')
    expect(edition.status).toBe(status)
    expect(edition.publishedAt).toBe(status === 'published' ? at(slotTime, afterMs).toISOString() : null)
    expect(await jobs('edition.published', id)).toHaveLength(status === 'published' ? 1 : 0)
  })

  it('holds an edition that is too late and records the reason at the desk and in the log', async ({
    site,
    desk,
    scheduled,
    jobs,
  }) => {
    const id = await scheduled('11-20-26-10AM')
    site.clock.moveTo(at(slotTime, 45 * minuteMs))

    await site.context.publishing.publishIfDue(id)

    const held = await desk.read('11-20-26-10AM')
    const [last] = (await desk.auditOf('11-20-26-10AM')).slice(-1)
    expect(held.heldReason).toBe('It missed its time by 45 minutes. At most 30 are allowed.')
    expect(last).toMatchObject({
      action: 'edition.hold',
      editor: 'the site itself',
      details: { status: 'held', reason: held.heldReason },
    })
    const read = await site.app.inject({
      url: '/edition/prod/11-20-26-10AM',
      headers: { cookie: site.pass },
    })
    expect(read.statusCode).toBe(404)

    const published = await desk.publish('11-20-26-10AM')

    expect(published).toMatchObject({ status: 'published', heldReason: null })
    expect(await jobs('edition.published', id)).toHaveLength(1)
  })

  it('holds an edition without memos', async ({ site, desk, scheduled }) => {
    const id = await scheduled('11-20-26-10AM', [])
    site.clock.moveTo(slotTime)

    await site.context.publishing.publishIfDue(id)

    expect(await desk.read('11-20-26-10AM')).toMatchObject({
      status: 'held',
      heldReason: 'It had no finished memo when its time came.',
    })
  })

  it('does not change an edition that an editor published early', async ({ site, desk, scheduled, jobs }) => {
    const id = await scheduled('11-20-26-10AM')
    const byHand = await desk.publish('11-20-26-10AM')
    site.clock.moveTo(slotTime)

    await site.context.publishing.publishIfDue(id)

    expect(await desk.read('11-20-26-10AM')).toEqual(byHand)
    expect(await jobs('edition.published', id)).toHaveLength(1)
  })

  it('does nothing for an unknown edition', async ({ site }) => {
    await expect(
      site.context.publishing.publishIfDue('0193a000-0000-7000-8000-000000000000'),
    ).resolves.toBeUndefined()
  })

  it('uses the configured lateness', async () => {
    const lateApp = await useTestApp({ working: false, env: { PUBLISH_LATENESS_MINUTES: '120' } })
    const lateDesk = createTestDesk(lateApp)
    await lateDesk.draft('11-20-26-10AM', ['First'])
    await lateDesk.call('PUT', '/editions/11-20-26-10AM', {
      body: { status: 'scheduled' },
      ifMatch: '"2"',
    })
    lateApp.clock.moveTo(at(slotTime, 119 * minuteMs))

    await lateApp.context.publishing.sweep()

    expect((await lateDesk.read('11-20-26-10AM')).status).toBe('published')
  })
})

describe('the sweep', () => {
  it.beforeEach(({ removeEditions }) => removeEditions())

  it('publishes or holds every due edition and no other', async ({ site, desk, scheduled }) => {
    await scheduled('11-20-26-10AM')
    await scheduled('11-20-26-3PM')
    await scheduled('11-20-26-8PM')
    await desk.draft('11-21-26-10AM', ['First'])
    site.clock.moveTo(new Date('2026-11-20T23:10:00.000Z'))

    await site.context.publishing.sweep()

    const statuses = await Promise.all(
      ['11-20-26-10AM', '11-20-26-3PM', '11-20-26-8PM', '11-21-26-10AM'].map(
        async (key) => (await desk.read(key)).status,
      ),
    )
    expect(statuses).toEqual(['held', 'published', 'scheduled', 'draft'])
  })

  it('publishes due editions when workers start again', async () => {
    const databaseUrl = await createTestDatabase()
    const editing = await useTestApp({ databaseUrl, working: false })
    const editingDesk = createTestDesk(editing)
    for (const slot of ['10AM', '3PM']) {
      await editingDesk.draft(`11-20-26-${slot}`, ['First'])
      await editingDesk.call('PUT', `/editions/11-20-26-${slot}`, {
        body: { status: 'scheduled' },
        ifMatch: '"2"',
      })
    }
    editing.clock.moveTo(new Date('2026-11-20T23:20:00.000Z'))

    await useTestApp({ databaseUrl, overrides: { clock: editing.clock } })

    expect((await editingDesk.read('11-20-26-10AM')).status).toBe('held')
    expect((await editingDesk.read('11-20-26-3PM')).status).toBe('published')
  })
})
