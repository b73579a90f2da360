import { currentMember, type LoggedIn, logIn, logOut, statusForMembers } from '../calls/membership.ts'
import { milliseconds } from '../results/figures.ts'
import { median } from '../results/median.ts'
import type { Row } from '../results/table.ts'
import type { Bench } from '../sites/bench.ts'
import { startMembersSite } from '../sites/members-site.ts'

const maxMs = 1_000
const timeoutMs = 10_000

/** Measures how long another API process accepts a session that has ended. */
export async function measureSessionEnd(bench: Bench): Promise<Row[]> {
  const { progress, quick } = bench
  return await bench.lifetime.within(async (lifetime) => {
    const first = await startMembersSite(bench, lifetime, { name: 'session-end-api', size: 'few' })
    // Both have the same address, to which tokens are bound.
    const settings = { SITE_URL: first.api.url }
    const second = await startMembersSite(bench, lifetime, {
      name: 'session-end-api-2',
      size: 'few',
      settings,
    })
    const urls = { here: first.api.url, there: second.api.url }
    const count = quick ? 10 : 50
    const times = await progress.step(`Ending ${count} sessions`, async () => {
      await endOne(urls, await logIn(urls.here, first.emails[count] ?? ''))
      const taken: number[] = []
      for (const email of first.emails.slice(0, count)) {
        taken.push(await endOne(urls, await logIn(urls.here, email)))
      }
      return taken
    })
    const max = Math.max(...times)
    return [
      {
        measure: `A session ended on one API process is refused on another: the last of ${count}`,
        figure: milliseconds(max),
        target: `< ${maxMs / 1_000} s`,
        passed: max < maxMs,
      },
      { measure: 'the median of them', figure: milliseconds(median(times)) },
    ]
  })
}

/** Returns the milliseconds from the end of a session here until it is rejected there. */
async function endOne({ here, there }: { here: string; there: string }, loggedIn: LoggedIn): Promise<number> {
  if ((await currentMember(there, loggedIn)) !== loggedIn.memberId) {
    throw new Error('The second process does not know the member.')
  }
  const began = performance.now()
  const ended = logOut(here, loggedIn)
  ended.catch(() => {})
  while ((await statusForMembers(there, loggedIn)) !== 401) {
    if (performance.now() - began > timeoutMs) throw new Error('The session is not refused after 10 s.')
  }
  const ms = performance.now() - began
  await ended
  return ms
}
