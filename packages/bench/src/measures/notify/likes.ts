import { setTimeout as pause } from 'node:timers/promises'
import { WebSocket } from 'ws'
import { connect } from '../../data/connect.ts'
import { someMemoIds } from '../../data/edition-keys.ts'
import type { PacedLikes, PacedLikesOrder } from '../../load/paced-likes.ts'
import type { Lifetime } from '../../programs/lifetime.ts'
import { startProgram } from '../../programs/program.ts'
import { milliseconds, perSecond } from '../../results/figures.ts'
import { median, quantile } from '../../results/median.ts'
import { limitRow } from '../../results/rows.ts'
import type { Row } from '../../results/table.ts'
import { type Api, startApi } from '../../sites/api.ts'
import type { Bench } from '../../sites/bench.ts'

const likesPerSecond = 1_000
const processes = 2
const maxNotifications = 5
const maxFrameMs = 100
const frameEveryMs = 100

/** Measures the notifications of 1,000 likes per second on two API processes, and the time of NEW_MEMO meanwhile. */
export async function measureLikes(
  { databases, progress, quick }: Bench,
  lifetime: Lifetime,
): Promise<Row[]> {
  const { week, dataDir } = await databases()
  const databaseUrl = await week()
  const settings = { RATE_NEW_READERS_PER_HOUR: '100000' }
  const start = (name: string) => startApi(lifetime, { name, databaseUrl, dataDir, settings })
  const [first, second] = [await start('notify-api'), await start('notify-api-2')]
  const memoIds = await someMemoIds(databaseUrl, 50)
  const listener = await connect(lifetime, databaseUrl)
  let notifications = 0
  listener.on('notification', () => {
    notifications += 1
  })
  await listener.query('LISTEN tidings_invalidate')
  const program = startProgram(lifetime, new URL('../../load/paced-likes.ts', import.meta.url))
  const order: PacedLikesOrder = {
    urls: [first.url, second.url],
    cookie: first.cookie,
    memoIds,
    readers: 400,
    perSecond: likesPerSecond,
    seconds: quick ? 3 : 20,
  }
  await program.request<PacedLikes>({ ...order, seconds: 1 })
  await pause(500)
  const frames = await followFrames(lifetime, databaseUrl, { api: second, memoId: memoIds[0] ?? '' })
  notifications = 0
  const { stored, seconds } = await progress.step('Liking 1,000 times per second', () =>
    program.request<PacedLikes>(order),
  )
  const ms = await frames.end()
  const p99 = quantile(ms, 0.99)
  const rate = stored / seconds
  return [
    {
      measure: `Likes stored per second, on ${processes} API processes`,
      figure: perSecond(rate),
      target: `≥ ${likesPerSecond * 0.95}/s`,
      passed: rate >= likesPerSecond * 0.95,
    },
    limitRow(
      'Notifications of these likes per second and process',
      notifications / seconds / processes,
      maxNotifications,
      perSecond,
    ),
    {
      measure: `p99 from the notification of a memo to its NEW_MEMO meanwhile, of ${ms.length}`,
      figure: milliseconds(p99),
      target: `< ${maxFrameMs} ms`,
      passed: p99 < maxFrameMs,
    },
    { measure: 'the median of them', figure: milliseconds(median(ms)) },
  ]
}

/** Announces a memo every 100 ms and measures how long a reader waits for it, until the end. */
async function followFrames(
  lifetime: Lifetime,
  databaseUrl: string,
  { api, memoId }: { api: Api; memoId: string },
) {
  const notifier = await connect(lifetime, databaseUrl)
  const socket = new WebSocket(api.socketUrl, { headers: { Cookie: api.cookie } })
  lifetime.atEnd(async () => socket.terminate())
  await new Promise((resolve, reject) => socket.once('open', resolve).once('error', reject))
  const ms: number[] = []
  let ended = false
  async function run(): Promise<void> {
    while (!ended) {
      const began = performance.now()
      const frame = new Promise((resolve) => socket.once('message', resolve))
      await notifier.query("SELECT pg_notify('tidings_new_memo', $1)", [JSON.stringify([memoId])])
      await frame
      ms.push(performance.now() - began)
      await pause(frameEveryMs)
    }
  }
  const running = run()
  return {
    async end(): Promise<number[]> {
      ended = true
      await running
      return ms
    },
  }
}
