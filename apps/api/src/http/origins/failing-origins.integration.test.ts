import { describe, expect, onTestFinished } from 'vitest'
import { createCapturedLog } from '#test/captured-log.ts'
import { refusalOf } from '#test/desk.ts'
import { siteTest } from '#test/fixtures.ts'
import { onlyBy, readableBy } from '#test/origins.ts'

const allowed = 'https://shop.example.com'
const foreign = 'https://evil.example'

// Its error log is expected. It receives no notifications, so it caches nothing.
const it = siteTest({
  env: { ALLOWED_ORIGINS: allowed },
  overrides: { logger: createCapturedLog().logger },
  working: false,
})
  .extend('ann', { scope: 'file' }, ({ members }) => members.signUp())
  .extend('get', { scope: 'file' }, ({ site, members }) => {
    return async (url: string, origin: string, headers: Record<string, string> = members.visitor) =>
      await site.app.inject({ url, headers: { ...headers, origin } })
  })
  /** Breaks a table until the test ends. */
  .extend('breakTable', { scope: 'file' }, ({ site }) => async (name: string) => {
    const { pool } = site.context.database
    await pool.query(`ALTER TABLE ${name} RENAME TO elsewhere`)
    onTestFinished(async () => void (await pool.query(`ALTER TABLE elsewhere RENAME TO ${name}`)))
  })

const crash = { status: 500, code: 'unknown-error', message: 'An error occurred' }

describe('an internal error', () => {
  it.for(['member', 'member_session', 'signing_key'])(
    'in the table %s is readable only from allowed origins and hides its cause',
    async (table, { ann, get, breakTable }) => {
      await breakTable(table)
      const reply = await get('/member', allowed, ann.headers)
      expect(refusalOf(reply)).toEqual(crash)
      expect(readableBy(reply)).toEqual(onlyBy(allowed))
      const refused = await get('/member', foreign, ann.headers)
      expect(refusalOf(refused)).toMatchObject({ status: 403, code: 'domain-not-permitted' })
      expect(readableBy(refused)).toEqual(onlyBy())
    },
  )

  it('in the apps table is readable from origins that were allowed before', async ({ get, breakTable }) => {
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
