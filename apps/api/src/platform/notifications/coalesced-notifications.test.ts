import { beforeEach, describe, expect, it, vi } from 'vitest'
import { createCapturedLog } from '#test/captured-log.ts'
import { createCoalescedNotifications } from './coalesced-notifications.ts'

beforeEach(() => {
  vi.useFakeTimers()
  return () => vi.useRealTimers()
})

/** Creates a topic, the list of its notifications, and a switch for whether they can be sent. */
function createTopic() {
  const log = createCapturedLog()
  const database = { available: true }
  const sent: string[] = []
  const coalesced = createCoalescedNotifications({
    logger: log.logger,
    async send(channel, payloads) {
      if (!database.available) throw new Error('no database')
      sent.push(`${channel}: ${payloads.join(', ')}`)
    },
  })
  const topic = (channel: string) => coalesced.topic(channel, (items) => [items.join(' ')])
  return { topic, sent, database, log, flush: coalesced.flush }
}

async function pass(ms: number): Promise<void> {
  await vi.advanceTimersByTimeAsync(ms)
}

describe('coalesced notifications', () => {
  it('are sent at once after a quiet time', async () => {
    const { topic, sent } = createTopic()
    const notify = topic('likes')
    notify(['a'])
    await pass(0)
    expect(sent).toEqual(['likes: a'])
    await pass(200)
    notify(['b'])
    await pass(0)
    expect(sent).toEqual(['likes: a', 'likes: b'])
  })

  it('are sent at most every 200 ms, each item once', async () => {
    const { topic, sent } = createTopic()
    const notify = topic('likes')
    for (let ms = 0; ms < 1_000; ms += 1) {
      notify([`edition-${ms % 3}`])
      await pass(1)
    }
    await pass(1_000)
    const all = 'edition-0 edition-1 edition-2'
    expect(sent.slice(0, 2)).toEqual(['likes: edition-0', 'likes: edition-1 edition-2 edition-0'])
    expect(sent.map((line) => line.slice(7).split(' ').sort().join(' '))).toEqual([
      'edition-0',
      ...Array.from({ length: 5 }, () => all),
    ])
  })

  it('of one channel do not delay those of another', async () => {
    const { topic, sent } = createTopic()
    const [likes, jobs] = [topic('likes'), topic('jobs')]
    likes(['a'])
    await pass(100)
    jobs(['mail'])
    await pass(0)
    expect(sent).toEqual(['likes: a', 'jobs: mail'])
  })

  it('are kept and sent again while the database is unavailable', async () => {
    const { topic, sent, database, log } = createTopic()
    const notify = topic('likes')
    database.available = false
    notify(['a'])
    await pass(300)
    notify(['b'])
    await pass(1_500)
    expect(sent).toEqual([])
    database.available = true
    await pass(1_000)
    expect(sent).toEqual(['likes: a b'])
    expect(log.entries().filter(({ msg }) => msg === 'notifications delayed')).toHaveLength(1)
  })

  it('that wait are sent by a flush', async () => {
    const { topic, sent, flush } = createTopic()
    const notify = topic('likes')
    notify(['a'])
    await pass(0)
    notify(['b'])
    await flush()
    expect(sent).toEqual(['likes: a', 'likes: b'])
    await flush()
    expect(vi.getTimerCount()).toBe(0)
  })
})
