import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { createTestMembers, type TestMembers } from '#test/membership.ts'
import { startTestApp, type TestApp, testNow, useTestApp } from '#test/test-app.ts'
import { createTestDatabase } from '#test/test-database.ts'
import { waitOptions } from '#test/wait-options.ts'

const dayMs = 24 * 3_600_000

let site: TestApp
let members: TestMembers
let databaseUrl: string
beforeAll(async () => {
  databaseUrl = await createTestDatabase()
  site = await startTestApp({ databaseUrl })
  members = createTestMembers(site)
})
afterAll(() => site.close())

/** The id of the key that a token says it was signed by. */
function keyIdOf(token: string): unknown {
  return JSON.parse(Buffer.from(token.split('.')[0] ?? '', 'base64url').toString()).kid
}

async function isLoggedIn(process: TestMembers, headers: Record<string, string>): Promise<boolean> {
  return (await process.call('GET', '/member', { headers })).json().data !== null
}

async function listKeys({ context }: TestApp) {
  return await context.database.db.signingKey.findMany({ orderBy: { createdAt: 'asc' } })
}

describe('a key that signs tokens', () => {
  it('is in the database with its private half sealed', async () => {
    const ann = await members.signUp()
    const [key] = await listKeys(site)
    expect(key).toMatchObject({ id: keyIdOf(ann.token), retiredAt: null })
    expect(key?.publicKey).toEqual({ kty: 'OKP', crv: 'Ed25519', x: expect.stringMatching(/^[\w-]{43}$/) })
    const sealed = Buffer.from(key?.privateKey ?? '', 'base64url').toString('latin1')
    for (const text of [key?.privateKey, sealed]) expect(text).not.toMatch(/"d"|OKP|Ed25519/)
  })

  it('is followed by another without logging anybody out, in every process', async () => {
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
    const fresh = { ...members.visitor, authorization: `Bearer ${accessToken}` }
    for (const process of [members, elsewhere]) {
      for (const headers of [ann.headers, fresh]) expect(await isLoggedIn(process, headers)).toBe(true)
    }
    // A process that starts later knows the old key, too.
    const later = createTestMembers(await useTestApp({ databaseUrl }))
    expect(await isLoggedIn(later, ann.headers)).toBe(true)
  })

  it('stays for as long as what it signed, and is forgotten then', async () => {
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

  it('is one for all processes, also when they start at the same time', async () => {
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

  it('of another site secret verifies still, and signs no more', async () => {
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
    // Each goes on with the key that it can open.
    expect(keyIdOf((await members.logIn(ann)).tokens.accessToken)).toBe(keyIdOf(ann.token))
  })
})

describe('signing a token', () => {
  it('waits for no second connection while a transaction holds one', async () => {
    // Two connections, two transactions, and a process that trusts nothing in memory because it hears of no change.
    const deaf = await useTestApp({ env: { DATABASE_CONNECTIONS: '2' }, working: false })
    const { database, membershipApps, sessions } = deaf.context
    const app = await membershipApps.siteApp()
    const crowd = createTestMembers(deaf)
    const people = [await crowd.signUp(), await crowd.signUp()]
    const everybody = Promise.withResolvers<void>()
    let waiting = 0
    const caller = { ip: '127.0.0.1', browserId: '', userAgent: '', origin: '' }
    const begun = people.map(({ memberId }) =>
      database.transaction(async (tx) => {
        waiting += 1
        if (waiting === people.length) everybody.resolve()
        await everybody.promise
        return await sessions.begin(tx, app, memberId, { caller })
      }),
    )
    for (const session of await Promise.all(begun)) {
      const headers = { ...crowd.visitor, authorization: `Bearer ${session?.tokens.accessToken}` }
      expect(await isLoggedIn(crowd, headers)).toBe(true)
    }
  })
})
