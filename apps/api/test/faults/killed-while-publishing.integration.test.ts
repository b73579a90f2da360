import { deskEdition } from '@tidings/contracts/desk/editions'
import { describe, expect, it, vi } from 'vitest'
import { connectLive } from '../live-client.ts'
import { createTestDatabase } from '../test-database.ts'
import { waitOptions } from '../wait-options.ts'
import { callDesk, passGate } from './site-client.ts'
import { errorsOf, type SiteProcess, startApiProcess } from './site-process.ts'

const memosPerEdition = 2
// The process is killed after this many of the six responses. With jobs on, it can also leave a job unfinished.
const rounds = [
  { responses: 4, jobs: 'on' },
  { responses: 1, jobs: 'off' },
]
const editionsPerRound = 6

function keysOf(round: number): string[] {
  return Array.from({ length: editionsPerRound }, (_, index) => {
    const day = String(round * 2 + Math.floor(index / 3) + 1).padStart(2, '0')
    return `10-${day}-26-${['10AM', '3PM', '8PM'][index % 3]}`
  })
}

async function draft(url: string, key: string): Promise<void> {
  await callDesk(url, 'PUT', `/desk/v1/editions/${key}`, { body: { status: 'draft' } })
  for (let number = 1; number <= memosPerEdition; number += 1) {
    await callDesk(url, 'POST', `/desk/v1/editions/${key}/memos`, {
      body: { title: `${key} memo ${number}`, memo_content: '<p>News.</p>' },
    })
  }
}

/** Publishes all editions concurrently, kills the process, and returns the editions reported as published. */
async function publishUntilKilled(
  killedProcess: SiteProcess,
  keys: string[],
  responses: number,
): Promise<Set<string>> {
  const confirmed = new Set<string>()
  const requests = keys.map(async (key) => {
    const reply = await callDesk(killedProcess.url, 'POST', `/desk/v1/editions/${key}/publish`)
    if (reply.status === 200) confirmed.add(key)
  })
  const settled = Promise.allSettled(requests)
  await vi.waitFor(() => expect(confirmed.size).toBeGreaterThanOrEqual(responses), waitOptions)
  await killedProcess.end('SIGKILL')
  await settled
  return confirmed
}

describe('an API process killed while it publishes', () => {
  it('leaves each edition a draft, or published with every NEW_MEMO sent by another process', async () => {
    const databaseUrl = await createTestDatabase()
    const otherProcess = await startApiProcess({ databaseUrl })
    const reader = await connectLive(otherProcess.url, { cookie: await passGate(otherProcess.url) })
    const allKeys = rounds.flatMap((_, round) => keysOf(round))
    await Promise.all(allKeys.map((key) => draft(otherProcess.url, key)))

    const confirmed: string[] = []
    for (const [round, { responses, jobs }] of rounds.entries()) {
      const killedProcess = await startApiProcess({ databaseUrl, env: { API_JOBS: jobs } })
      confirmed.push(...(await publishUntilKilled(killedProcess, keysOf(round), responses)))
    }

    const published: string[] = []
    for (const key of allKeys) {
      const { body } = await callDesk(otherProcess.url, 'GET', `/desk/v1/editions/${key}`)
      const { status, memos } = deskEdition.parse(Object(body).data)
      expect(['draft', 'published']).toContain(status)
      expect(memos).toHaveLength(memosPerEdition)
      if (status === 'published') published.push(key)
    }
    expect(published).toEqual(expect.arrayContaining(confirmed))
    const expected = published.flatMap((key) =>
      Array.from({ length: memosPerEdition }, (_, index) => `${key} memo ${index + 1}`),
    )
    await vi.waitFor(() => expect([...new Set(reader.titles())].sort()).toEqual(expected.sort()), waitOptions)
    expect(errorsOf(otherProcess)).toEqual([])
  })
})
