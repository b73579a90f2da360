import { describe, expect, it } from 'vitest'
import { systemClock } from '#platform/clock.ts'
import { createTestDiscussion } from '../content/discussion.ts'
import { writeManyPosts } from '../factories/posts.ts'
import { createTestMembers } from '../membership.ts'
import { useTestApp } from '../test-app.ts'
import { createTestDatabase } from '../test-database.ts'
import { startApiProcess } from './site-process.ts'

const commentBytes = 100_000_000
const maxRiseBytes = 50_000_000
const sampleIntervalBytes = 2_000_000

async function residentBytes(url: string): Promise<number> {
  const text = await (await fetch(new URL('/metrics', url))).text()
  return Number(/^tidings_process_resident_memory_bytes (\S+)$/m.exec(text)?.[1])
}

/** Downloads an export; returns its length and the peak memory of the process. */
async function download(
  url: string,
  headers: Record<string, string>,
): Promise<{ bytes: number; peak: number }> {
  const reply = await fetch(new URL('/member/export', url), { headers })
  let [bytes, peak, sampledAt] = [0, 0, 0]
  for await (const chunk of reply.body ?? []) {
    bytes += chunk.byteLength
    if (bytes - sampledAt < sampleIntervalBytes) continue
    sampledAt = bytes
    peak = Math.max(peak, await residentBytes(url))
  }
  return { bytes, peak }
}

describe('the export of a member with 100 MB of comments', () => {
  it('raises the memory of the process by less than 50 MB', async () => {
    const databaseUrl = await createTestDatabase()
    const site = await useTestApp({ databaseUrl, working: false, overrides: { clock: systemClock } })
    const members = createTestMembers(site)
    const ann = await members.signUp()
    const post = await createTestDiscussion(members).post(ann, 'news', 'The first')
    const env = {
      API_JOBS: 'off',
      SITE_URL: site.context.config.site.url.origin,
      // V8 lets the heap grow under any steady load. Without room for it, only what the export keeps counts.
      NODE_OPTIONS: '--max-semi-space-size=16 --max-old-space-size=144',
    }
    const { url } = await startApiProcess({ databaseUrl, env })
    await download(url, ann.headers)
    const before = await residentBytes(url)

    const characters = 5_000
    await writeManyPosts(site.context.database.db, post.id, { count: commentBytes / characters, characters })
    const { bytes, peak } = await download(url, ann.headers)

    expect(bytes).toBeGreaterThan(commentBytes)
    expect(peak).toBeGreaterThan(0)
    expect(peak - before).toBeLessThan(maxRiseBytes)
  })
})
