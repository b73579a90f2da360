import { deskEdition } from '@tidings/contracts/desk'
import { describe, expect, it, vi } from 'vitest'
import { connectLive } from '../live-client.ts'
import { createTestDatabase } from '../test-database.ts'
import { waitOptions } from '../wait-options.ts'
import { callDesk, passGate } from './site-client.ts'
import { errorsOf, startApiProcess } from './site-process.ts'

const memosEach = 3
// The process dies once so many of the six requests have been answered.
const rounds = [0, 1, 2, 4, 5]
const editionsARound = 6

function keysOf(round: number): string[] {
  return Array.from({ length: editionsARound }, (_, index) => {
    const day = String(round * 2 + Math.floor(index / 3) + 1).padStart(2, '0')
    return `10-${day}-26-${['10AM', '3PM', '8PM'][index % 3]}`
  })
}

async function draft(url: string, key: string): Promise<void> {
  await callDesk(url, 'PUT', `/desk/v1/editions/${key}`, { body: { status: 'draft' } })
  for (let number = 1; number <= memosEach; number += 1) {
    await callDesk(url, 'POST', `/desk/v1/editions/${key}/memos`, {
      body: { title: `${key} memo ${number}`, memo_content: '<p>News.</p>' },
    })
  }
}

/** Has one process publish every edition at once and kills it; answers which it said were published. */
async function publishUntilKilled(
  databaseUrl: string,
  keys: string[],
  answers: number,
): Promise<Set<string>> {
  const doomed = await startApiProcess({ databaseUrl })
  const confirmed = new Set<string>()
  const asked = keys.map(async (key) => {
    const reply = await callDesk(doomed.url, 'POST', `/desk/v1/editions/${key}/publish`)
    if (reply.status === 200) confirmed.add(key)
  })
  const settled = Promise.allSettled(asked)
  await vi.waitFor(() => expect(confirmed.size).toBeGreaterThanOrEqual(answers), waitOptions)
  await doomed.end('SIGKILL')
  await settled
  return confirmed
}

describe('an API process killed while it publishes', () => {
  it('leaves each edition a draft, or published with every NEW_MEMO sent by another process', async () => {
    const databaseUrl = await createTestDatabase()
    const survivor = await startApiProcess({ databaseUrl })
    const reader = await connectLive(survivor.url, { cookie: await passGate(survivor.url) })
    const allKeys = rounds.flatMap((_, round) => keysOf(round))
    await Promise.all(allKeys.map((key) => draft(survivor.url, key)))

    const confirmed: string[] = []
    for (const [round, answers] of rounds.entries()) {
      confirmed.push(...(await publishUntilKilled(databaseUrl, keysOf(round), answers)))
    }

    const published: string[] = []
    for (const key of allKeys) {
      const { body } = await callDesk(survivor.url, 'GET', `/desk/v1/editions/${key}`)
      const { status, memos } = deskEdition.parse(Object(body).data)
      expect(['draft', 'published']).toContain(status)
      expect(memos).toHaveLength(memosEach)
      if (status === 'published') published.push(key)
    }
    expect(published).toEqual(expect.arrayContaining(confirmed))
    const expected = published.flatMap((key) =>
      Array.from({ length: memosEach }, (_, index) => `${key} memo ${index + 1}`),
    )
    await vi.waitFor(() => expect([...new Set(reader.titles())].sort()).toEqual(expected.sort()), waitOptions)
    expect(errorsOf(survivor)).toEqual([])
  })
})
