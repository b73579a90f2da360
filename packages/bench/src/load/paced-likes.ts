/** Sends likes at a fixed rate, whatever the response times, from its own process. */
import { Agent, request } from 'node:http'
import { setTimeout as pause } from 'node:timers/promises'
import { likeMemo } from '@tidings/contracts/editions'
import { serveRequests } from '../programs/serve-requests.ts'

export type PacedLikesOrder = {
  /** The processes, used in rotation. */
  urls: readonly string[]
  cookie: string
  memoIds: readonly string[]
  readers: number
  perSecond: number
  seconds: number
}

/** How many likes were stored in how many seconds. */
export type PacedLikes = { stored: number; seconds: number }

type Reader = { cookie: string; liked: boolean; memoId: string }

const agent = new Agent({ keepAlive: true, maxSockets: 64 })

serveRequests<PacedLikesOrder>(async ({ urls, cookie, memoIds, readers: count, perSecond, seconds }) => {
  const readers: Reader[] = []
  while (readers.length < count) {
    const memoId = memoIds[readers.length % memoIds.length] ?? ''
    const readerCookie = await like(urls[0] ?? '', cookie, { id: memoId, add: true })
    readers.push({ cookie: `${cookie}; ${readerCookie}`, liked: true, memoId })
  }
  const began = performance.now()
  const likes: Promise<void>[] = []
  while (likes.length < perSecond * seconds) {
    await pause(Math.max(0, began + (likes.length * 1_000) / perSecond - performance.now()))
    const reader = readers[likes.length % readers.length]
    if (reader === undefined) break
    const sent = toggle(urls[likes.length % urls.length] ?? '', reader)
    // A failure before the others are awaited is reported with them.
    sent.catch(() => {})
    likes.push(sent)
  }
  await Promise.all(likes)
  return { stored: likes.length, seconds: (performance.now() - began) / 1_000 } satisfies PacedLikes
})

async function toggle(url: string, reader: Reader): Promise<void> {
  reader.liked = !reader.liked
  await like(url, reader.cookie, { id: reader.memoId, add: reader.liked })
}

/** Sends a like and returns the reader's cookie of the response. */
function like(url: string, cookie: string, body: { id: string; add: boolean }): Promise<string> {
  return new Promise((resolve, reject) => {
    const headers = { cookie, 'content-type': 'application/json' }
    const sent = request(url + likeMemo.path, { method: likeMemo.method, agent, headers }, (response) => {
      response.resume()
      response.on('error', reject)
      response.on('end', () => {
        if (response.statusCode === 200) resolve(response.headers['set-cookie']?.[0]?.split(';')[0] ?? '')
        else reject(new Error(`A like got ${response.statusCode}.`))
      })
    })
    sent.on('error', reject)
    sent.end(JSON.stringify(body))
  })
}
