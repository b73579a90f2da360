import { describe, expect, vi } from 'vitest'
import { siteTest } from '#test/fixtures.ts'
import { createTestMembers, type TestMembers } from '#test/membership.ts'
import { type TestApp, testNow, useTestApp } from '#test/test-app.ts'
import { createTestDatabase } from '#test/test-database.ts'
import { waitOptions } from '#test/wait-options.ts'

const dayMs = 24 * 3_600_000
const it = siteTest().extend('databaseUrl', { scope: 'file' }, ({ site }) => site.context.config.database.url)

/** Returns the key id in a token's header. */
function keyIdOf(token: string): unknown {
  return JSON.parse(Buffer.from(token.split('.')[0] ?? '', 'base64url').toString()).kid
}

async function isLoggedIn(process: TestMembers, headers: Record<string, string>): Promise<boolean> {
  return (await process.call('GET', '/member', { headers })).json().data !== null
}

async function listKeys({ context }: TestApp) {
  return await context.database.db.signingKey.findMany({ orderBy: { createdAt: 'asc' } })
}

describe('a signing key', () => {
  it('is stored with its private half sealed', async ({ site, members }) => {
    const ann = await members.signUp()
    const [key] = await listKeys(site)
    expect(key).toMatchObject({ id: keyIdOf(ann.token), retiredAt: null })
    expect(key?.publicKey).toEqual({ kty: 'OKP', crv: 'Ed25519', x: expect.stringMatching(/^[\w-]{43}$/) })
    const sealed = Buffer.from(key?.privateKey ?? '', 'base64url').toString('latin1')
    for (const text of [key?.privateKey, sealed]) expect(text).not.toMatch(/"d"|OKP|Ed25519/)
  })

  it('rotates without ending sessions in any process', async ({ site, members, databaseUrl }) => {
    const there = await useTestApp({ databaseUrl })
    const elsewhere = createTestMembers(there)
    const ann = await members.signUp()
    expect(await isLoggedIn(elsewhere, ann.headers)).toBe(true)

    const next = await site.context.signingKeys.rotate()
    expect(next).not.toBe(keyIdOf(ann.token))
    const { accessToken } = (await members.logIn(ann)).tokens
    expect(keyIdOf(accessToken)).toBe(next)
    await vi.waitFor(
      async () => expect(keyIdOf((await elsewhere.logIn(ann)).tokens.accessToken)).toBe(next),
      waitOptions,
    )
    const newHeaders = { ...members.visitor, authorization: `Bearer ${accessToken}` }
    for (const process of [members, elsewhere]) {
      for (const headers of [ann.headers, newHeaders]) expect(await isLoggedIn(process, headers)).toBe(true)
    }
    // A process that starts later also verifies the old key.
    const later = createTestMembers(await useTestApp({ databaseUrl, working: false }))
    expect(await isLoggedIn(later, ann.headers)).toBe(true)
  })

  it('is deleted once its tokens have expired', async ({ site, members }) => {
    const old = keyIdOf((await members.signUp()).token)
    await site.context.signingKeys.rotate()
    const ids = async () => (await listKeys(site)).map(({ id }) => id)
    site.clock.moveTo(new Date(testNow.getTime() + 14 * dayMs))
    await site.context.removeOld()
    expect(await ids()).toContain(old)
    site.clock.moveTo(new Date(testNow.getTime() + 15 * dayMs + 1))
    await site.context.removeOld()
    expect(await ids()).not.toContain(old)
    site.clock.moveTo(testNow)
    expect(await isLoggedIn(members, (await members.signUp()).headers)).toBe(true)
  })

  it('is created once when processes start concurrently', async () => {
    const empty = await createTestDatabase()
    const first = await useTestApp({ databaseUrl: empty })
    const second = await useTestApp({ databaseUrl: empty })
    const rings = await Promise.all(
      [first, second, first, second].map(({ context }) => context.signingKeys.ring()),
    )
    const [key, ...others] = await listKeys(first)
    expect(others).toEqual([])
    expect(rings.map(({ current }) => current.id)).toEqual(rings.map(() => key?.id))
  })

  it('of another site secret still verifies, but no longer signs', async ({ members, databaseUrl }) => {
    const ann = await members.signUp()
    const other = await useTestApp({
      databaseUrl,
      env: { SITE_SECRET: 'another-secret-of-more-than-32-characters' },
    })
    const elsewhere = createTestMembers(other)
    expect(await isLoggedIn(elsewhere, ann.headers)).toBe(true)
    const session = await elsewhere.logIn(ann)
    expect(keyIdOf(session.tokens.accessToken)).not.toBe(keyIdOf(ann.token))
    await vi.waitFor(
      async () => expect(await isLoggedIn(members, elsewhere.headersOf(session))).toBe(true),
      waitOptions,
    )
    // Each process signs with the key that it can unseal.
    expect(keyIdOf((await members.logIn(ann)).tokens.accessToken)).toBe(keyIdOf(ann.token))
  })
})

describe('signing', () => {
  it('needs no second database connection in a transaction', async () => {
    // Two connections, two transactions, and no caching because the process receives no notifications.
    const uncached = await useTestApp({ env: { DATABASE_CONNECTIONS: '2' }, working: false })
    const { database, apps, sessions } = uncached.context
    const app = await apps.siteApp()
    const uncachedMembers = createTestMembers(uncached)
    const people = [await uncachedMembers.signUp(), await uncachedMembers.signUp()]
    const allWaiting = Promise.withResolvers<void>()
    let waiting = 0
    const caller = { ip: '127.0.0.1', browserId: '', userAgent: '', origin: '' }
    const begun = people.map(({ memberId }) =>
      database.transaction(async (tx) => {
        waiting += 1
        if (waiting === people.length) allWaiting.resolve()
        await allWaiting.promise
        return await sessions.begin(tx, app, memberId, { caller })
      }),
    )
    for (const session of await Promise.all(begun)) {
      const headers = { ...uncachedMembers.visitor, authorization: `Bearer ${session?.tokens.accessToken}` }
      expect(await isLoggedIn(uncachedMembers, headers)).toBe(true)
    }
  })
})
