import { type CryptoKey, exportJWK, generateKeyPair, importJWK, type JWK } from 'jose'
import { z } from 'zod'
import type { Cache } from '../cache/cache.ts'
import { type Db, toJson } from '../database.ts'
import type { PlatformDeps } from '../membership-apps/platform-deps.ts'
import { createSealing } from './sealing.ts'

/** The algorithm of every key; tokens with another one are invalid. */
export const tokenAlgorithm = 'EdDSA'

const cacheKey = 'signing-keys'
// A day longer than any token lives, in case clocks disagree.
const keptRetiredMs = 15 * 24 * 3600 * 1000

const publicJwk = z.object({ kty: z.literal('OKP'), crv: z.literal('Ed25519'), x: z.string() })
const privateJwk = publicJwk.extend({ d: z.string() })

/** The key that signs, and all keys that still verify, by key id. */
export type KeyRing = {
  current: { id: string; key: CryptoKey }
  verifying: ReadonlyMap<string, CryptoKey>
}

export type SigningKeys = ReturnType<typeof createSigningKeys>

type Deps = Pick<PlatformDeps, 'database' | 'invalidation' | 'clock' | 'ids' | 'logger'> & {
  cache: Cache<KeyRing>
  secret: string
}

/** Keeps Ed25519 keys in the database for all processes; private keys are encrypted with the site's secret. */
export function createSigningKeys({ database, cache, invalidation, clock, ids, logger, secret }: Deps) {
  const sealing = createSealing(secret, 'signing keys')

  let latest: KeyRing | null = null

  async function load(): Promise<KeyRing> {
    latest = (await read(database.db)) ?? (await database.transaction(makeFirst))
    return latest
  }

  /** Returns the keys; creates the first one when there is none for this site's secret. */
  async function ring(): Promise<KeyRing> {
    return cache.peek(cacheKey) ?? (await cache.load(cacheKey, load))
  }

  // A process that only signs needs new keys too.
  invalidation.onInvalidated(cacheKey, () => {
    if (latest === null) return
    ring().catch((error: unknown) => logger.warn({ err: error }, 'signing keys load failed'))
  })

  async function read(db: Db): Promise<KeyRing | null> {
    const rows = await db.signingKey.findMany({ orderBy: [{ createdAt: 'desc' }, { id: 'desc' }] })
    const verifying = new Map<string, CryptoKey>()
    let current: KeyRing['current'] | null = null
    for (const { id, publicKey, privateKey, retiredAt } of rows) {
      verifying.set(id, await importKey(publicJwk.parse(publicKey)))
      if (current !== null || retiredAt !== null) continue
      const opened = sealing.open(privateKey)
      if (opened !== null) current = { id, key: await importKey(privateJwk.parse(JSON.parse(opened))) }
    }
    return current === null ? null : { current, verifying }
  }

  /** Creates one key even when two processes start at once. */
  async function makeFirst(tx: Db): Promise<KeyRing> {
    await lockKeys(tx)
    const made = await read(tx)
    if (made !== null) return made
    await store(tx)
    const ring = await read(tx)
    if (ring === null) throw new Error('A stored signing key cannot be read')
    return ring
  }

  async function store(tx: Db): Promise<string> {
    const { publicKey, privateKey } = await generateKeyPair(tokenAlgorithm, { extractable: true })
    const id = ids.name()
    await tx.signingKey.create({
      data: {
        id,
        publicKey: toJson(publicJwk.parse(await exportJWK(publicKey))),
        privateKey: sealing.seal(JSON.stringify(privateJwk.parse(await exportJWK(privateKey)))),
        createdAt: clock.now(),
      },
    })
    await invalidation.invalidate(tx, { at: [cacheKey] })
    return id
  }

  return {
    ring,
    /** Returns the last loaded keys, without a query: a transaction must not wait for a second connection. */
    latestRing: async (): Promise<KeyRing> => latest ?? (await ring()),
    /** Creates a new key and returns its id. Tokens of older keys stay valid. */
    rotate: (): Promise<string> =>
      database.transaction(async (tx) => {
        await lockKeys(tx)
        await tx.signingKey.updateMany({ where: { retiredAt: null }, data: { retiredAt: clock.now() } })
        return await store(tx)
      }),
    /** Removes retired keys whose tokens have all expired. */
    async removeRetired(): Promise<void> {
      const before = new Date(clock.now().getTime() - keptRetiredMs)
      const { count } = await database.db.signingKey.deleteMany({ where: { retiredAt: { lt: before } } })
      if (count > 0) await invalidation.invalidate(database.db, { at: [cacheKey] })
    },
  }
}

async function lockKeys(tx: Db): Promise<void> {
  await tx.$executeRaw`LOCK TABLE signing_key IN SHARE ROW EXCLUSIVE MODE`
}

async function importKey(jwk: JWK): Promise<CryptoKey> {
  const key = await importJWK(jwk, tokenAlgorithm)
  if (key instanceof Uint8Array) throw new Error('Expected an Ed25519 key')
  return key
}
