import { describe, expect } from 'vitest'
import { cleanUp } from '#features/ops/index.ts'
import { siteTest } from '#test/fixtures.ts'
import { createTestPeople } from '#test/passkeys/people.ts'
import { useTestApp } from '#test/test-app.ts'

const it = siteTest()
const hourMs = 3_600_000

describe('the clean-up', () => {
  it('removes expired sessions, challenges, links and invitations, and leaves the others', async () => {
    const site = await useTestApp({ working: false })
    const { db } = site.context.database
    const people = createTestPeople(site)
    const counts = async () => [
      await db.deskSession.count(),
      await db.passkeyChallenge.count(),
      await db.signInLink.count(),
      await db.invitation.count(),
    ]
    const person = await people.add('writer')
    await people.challengeFrom('/sign-in/options')
    await people.call('POST', '/sign-in-links', { body: { email: person.email } })
    const run = async (hours: number) => {
      site.clock.moveTo(new Date(start + hours * hourMs))
      await cleanUp.run({}, site.context)
      return await counts()
    }
    const start = site.clock.now().getTime()

    expect(await run(0)).toEqual([1, 1, 1, 1])
    expect(await run(12)).toEqual([0, 0, 1, 1])
    expect(await run(24)).toEqual([0, 0, 0, 1])
    expect(await run(37 * 24)).toEqual([0, 0, 0, 0])
    expect(await db.passkey.count()).toBe(1)
  })
})
