import { type EditorScope, editorScope } from '@tidings/contracts/desk/desk'
import type { RateLimits } from '#http/limits/rate-limits.ts'
import type { Db } from '#platform/database.ts'
import { sha256 } from '#platform/ids.ts'
import type { PlatformDeps } from '#platform/membership-apps/platform-deps.ts'
import { fail } from '../desk.errors.ts'
import { announceEndedAccess } from '../events/announce.ts'
import type { Editor } from '../requests/editor.ts'
import {
  createKey,
  createKeyOnce,
  type EditorKeyRow,
  findKey,
  listKeys,
  recordUse,
  revokeKey,
  revokeKeys,
} from './editor-keys.repository.ts'

type Deps = Pick<PlatformDeps, 'database' | 'clock' | 'ids'> & { rateLimits: RateLimits }

const firstKeyName = 'EDITOR_API_KEY'

export type EditorKeyService = ReturnType<typeof createEditorKeyService>

export function createEditorKeyService({ database, clock, ids, rateLimits }: Deps) {
  /** Creates a key in the caller's transaction. Only the hash of its secret is stored. */
  async function make(tx: Db, name: string, scopes: readonly EditorScope[]) {
    const secret = `tdk_${ids.alphanumeric(40)}`
    return { secret, key: await createKey(tx, { name, scopes, secretHash: sha256(secret) }) }
  }

  return {
    /**
     * Returns the editor of an Authorization header. Throws `invalid-api-key`. Only unknown secrets are counted, and only
     * they are refused past the limit: a key that was revoked is no guess. `address` is the caller's IP.
     */
    async authenticate(authorization: string | undefined, address: string): Promise<Editor> {
      const secret = secretOf(authorization)
      const key = secret === undefined ? null : await findKey(database.db, sha256(secret))
      // Only guesses count: a script that goes on with a revoked key must not lock out its network.
      if (key === null && secret !== undefined) await rateLimits.consume('deskFailures', address)
      if (key === null || key.revokedAt !== null) throw fail('invalid-api-key')
      await recordUse(database.db, key.id, clock.now())
      return {
        kind: 'key',
        id: key.id,
        name: key.name,
        scopes: new Set(editorScope.array().parse(key.scopes)),
        roles: new Set(),
      }
    },
    /** Returns whether the key of an Authorization header is active. Doesn't count as its use. */
    async isActive(authorization: string | undefined): Promise<boolean> {
      const secret = secretOf(authorization)
      const key = secret === undefined ? null : await findKey(database.db, sha256(secret))
      return key !== null && key.revokedAt === null
    },
    /** Creates a key and returns its secret, of which only the hash is stored. */
    async create(name: string, scopes: readonly EditorScope[]): Promise<string> {
      return (await make(database.db, name, scopes)).secret
    },
    make,
    /** Revokes one key in the caller's transaction. Throws `key-not-found`. */
    async revokeOne(tx: Db, id: string): Promise<EditorKeyRow> {
      const revoked = await revokeKey(tx, id, clock.now())
      if (revoked === null) throw fail('key-not-found')
      await announceEndedAccess(tx)
      return revoked
    },
    /** Revokes the active keys with this name. Returns their number. */
    async revoke(name: string): Promise<number> {
      return await database.transaction(async (tx) => {
        const revoked = await revokeKeys(tx, name, clock.now())
        if (revoked > 0) await announceEndedAccess(tx)
        return revoked
      })
    },
    async list(): Promise<EditorKeyRow[]> {
      return await listKeys(database.db)
    },
    /** Creates the key from the environment and revokes its predecessor. An empty secret means no key. */
    async ensureFirstKey(secret: string): Promise<void> {
      const secretHash = sha256(secret)
      await database.transaction(async (tx) => {
        if ((await revokeKeys(tx, firstKeyName, clock.now(), secretHash)) > 0) await announceEndedAccess(tx)
        if (secret === '') return
        await createKeyOnce(tx, { name: firstKeyName, secretHash, scopes: editorScope.options })
      })
    },
  }
}

function secretOf(authorization: string | undefined): string | undefined {
  return /^Bearer +([\x21-\x7e]{1,200})$/i.exec(authorization ?? '')?.[1]
}
