import { type EditorScope, editorScope } from '@tidings/contracts/desk/desk'
import type { RateLimits } from '#http/limits/rate-limits.ts'
import { sha256 } from '#platform/ids.ts'
import type { PlatformDeps } from '#platform/membership-apps/platform-deps.ts'
import { fail } from '../desk.errors.ts'
import type { Editor } from '../requests/editor.ts'
import {
  createKey,
  createKeyOnce,
  type EditorKeyRow,
  findKey,
  listKeys,
  recordUse,
  revokeKeys,
} from './editor-keys.repository.ts'

type Deps = Pick<PlatformDeps, 'database' | 'clock' | 'ids'> & { rateLimits: RateLimits }

const firstKeyName = 'EDITOR_API_KEY'

export function createEditorKeyService({ database, clock, ids, rateLimits }: Deps) {
  return {
    /**
     * Returns the editor of an Authorization header. Throws `invalid-api-key`. Only unknown secrets are counted, and only
     * they are refused past the limit: a key that was revoked is no guess. `address` is the caller's IP.
     */
    async authenticate(authorization: string | undefined, address: string): Promise<Editor> {
      const secret = /^Bearer +([\x21-\x7e]{1,200})$/i.exec(authorization ?? '')?.[1]
      if (secret === undefined) throw fail('invalid-api-key')
      const key = await findKey(database.db, sha256(secret))
      if (key === null) await rateLimits.consume('deskFailures', address)
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
    /** Creates a key and returns its secret, of which only the hash is stored. */
    async create(name: string, scopes: readonly EditorScope[]): Promise<string> {
      const secret = `tdk_${ids.alphanumeric(40)}`
      await createKey(database.db, { name, scopes, secretHash: sha256(secret) })
      return secret
    },
    /** Revokes the active keys with this name. Returns their number. */
    async revoke(name: string): Promise<number> {
      return await revokeKeys(database.db, name, clock.now())
    },
    async list(): Promise<EditorKeyRow[]> {
      return await listKeys(database.db)
    },
    /** Creates the key from the environment and revokes its predecessor. An empty secret means no key. */
    async ensureFirstKey(secret: string): Promise<void> {
      const secretHash = sha256(secret)
      await database.transaction(async (tx) => {
        await revokeKeys(tx, firstKeyName, clock.now(), secretHash)
        if (secret === '') return
        await createKeyOnce(tx, { name: firstKeyName, secretHash, scopes: editorScope.options })
      })
    },
  }
}
