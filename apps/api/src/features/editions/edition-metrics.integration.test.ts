import { describe, expect, it } from 'vitest'
import { draftEdition, publishedEdition } from '#test/factories/editions.ts'
import { metricValue, metricValues } from '#test/metric-values.ts'
import { useTestApp } from '#test/test-app.ts'

/** A minute after the first slot in Los Angeles. */
const afterTen = new Date('2026-11-20T18:01:00Z')

async function setUp() {
  const site = await useTestApp({ working: false })
  const { context, clock } = site
  const { metrics, database, publishing } = context
  return {
    context,
    clock,
    sweep: publishing.sweep,
    async schedule(key: string, memos: number): Promise<void> {
      const { edition } = await draftEdition(context, key, memos)
      await database.transaction((tx) => publishing.schedule(tx, edition))
    },
    read: (name: string, labels?: Record<string, string>) => metricValue(metrics, `tidings_${name}`, labels),
    async statusOf(slot: string) {
      const values = await metricValues(metrics, 'tidings_edition_slot_status')
      return values.flatMap(({ labels, value }) =>
        labels.slot === slot && value === 1 ? [labels.status] : [],
      )
    },
  }
}

describe('metrics of editions', () => {
  it('say whether the edition of each slot was published, once it is due', async () => {
    const { context, clock, schedule, sweep, read, statusOf } = await setUp()
    await publishedEdition(context, '11-19-26-8PM', 1)
    await schedule('11-20-26-10AM', 1)
    expect([await statusOf('8PM'), await statusOf('10AM')]).toEqual([['published'], ['none']])
    expect(await read('editions_overdue')).toBe(0)

    clock.moveTo(afterTen)
    expect(await statusOf('10AM')).toEqual(['scheduled'])
    expect(await read('edition_slot_due_timestamp_seconds', { slot: '10AM' })).toBe(
      Date.parse('2026-11-20T18:00:00Z') / 1000,
    )
    expect([await read('editions_overdue'), await read('editions_oldest_overdue_seconds')]).toEqual([1, 60])

    await sweep()
    expect(await statusOf('10AM')).toEqual(['published'])
    expect(await read('edition_last_published_timestamp_seconds')).toBe(afterTen.getTime() / 1000)
    expect([await read('editions_overdue'), await read('editions_oldest_overdue_seconds')]).toEqual([0, 0])
  })

  it('count an edition that is held', async () => {
    const { clock, schedule, sweep, read, statusOf } = await setUp()
    await schedule('11-20-26-10AM', 0)
    clock.moveTo(afterTen)
    expect(await read('editions_held')).toBe(0)
    await sweep()
    expect([await read('editions_held'), await statusOf('10AM')]).toEqual([1, ['held']])
    expect(await read('edition_last_published_timestamp_seconds')).toBeUndefined()
  })
})
