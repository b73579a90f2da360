import { describe, expect, it } from 'vitest'
import { createCapturedLog } from '#test/captured-log.ts'
import { refusalOf } from '#test/desk.ts'
import { createTestMembers } from '#test/membership.ts'
import { onlyBy, readableBy } from '#test/origins.ts'
import { useTestApp } from '#test/test-app.ts'

const allowed = 'https://shop.example.com'
const foreign = 'https://evil.example'

/** Starts a process whose error log is expected. */
async function useFailingSite() {
  const site = await useTestApp({
    env: { ALLOWED_ORIGINS: allowed },
    overrides: { logger: createCapturedLog().logger },
    // It receives no notifications, so it caches nothing.
    working: false,
  })
  const { visitor, signUp } = createTestMembers(site)
  const ann = await signUp()
  const get = (url: string, origin: string, headers: Record<string, string> = visitor) =>
    site.app.inject({ url, headers: { ...headers, origin } })
  const breakTable = (name: string) =>
    site.context.database.pool.query(`ALTER TABLE ${name} RENAME TO elsewhere`)
  return { ann, get, breakTable }
}

const crash = { status: 500, code: 'unknown-error', message: 'An error occurred' }

describe('an internal error', () => {
  it.each(['member', 'member_session', 'signing_key'])(
    'in the table %s is readable only from allowed origins and hides its cause',
    async (table) => {
      const { ann, get, breakTable } = await useFailingSite()
      await breakTable(table)
      const reply = await get('/member', allowed, ann.headers)
      expect(refusalOf(reply)).toEqual(crash)
      expect(readableBy(reply)).toEqual(onlyBy(allowed))
      const refused = await get('/member', foreign, ann.headers)
      expect(refusalOf(refused)).toMatchObject({ status: 403, code: 'domain-not-permitted' })
      expect(readableBy(refused)).toEqual(onlyBy())
    },
  )

  it('in the apps table is readable from origins that were allowed before', async () => {
    const { get, breakTable } = await useFailingSite()
    expect((await get('/app', allowed)).statusCode).toBe(200)
    await breakTable('membership_app')
    for (const url of ['/app', '/member', '/nowhere']) {
      const reply = await get(url, allowed)
      expect(refusalOf(reply)).toEqual(crash)
      expect(readableBy(reply)).toEqual(onlyBy(allowed))
      expect(readableBy(await get(url, foreign))).toEqual(onlyBy())
    }
  })
})
