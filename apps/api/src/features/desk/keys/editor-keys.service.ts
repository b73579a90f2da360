import { type EditorScope, editorScope } from '@tidings/contracts/desk'
import type { RateLimits } from '#http/rate-limits.ts'
import type { Clock } from '#platform/clock.ts'
import type { Database } from '#platform/database.ts'
import { AppError } from '#platform/errors.ts'
import { type Ids, sha256 } from '#platform/ids.ts'
import {
  createKey,
  createKeyOnce,
  type EditorKeyRow,
  findLiveKey,
  listKeys,
  noteUse,
  revokeKeys,
} from './editor-keys.repository.ts'

type Deps = { database: Database; clock: Clock; ids: Ids; rateLimits: RateLimits }

/** Who is at the desk: the key that a call carries. */
export type Editor = { id: string; name: string; scopes: ReadonlySet<EditorScope> }

export type EditorKeyService = {
  /** The editor of an Authorization header; throws `invalid-api-key`. `address` is the caller's IP. */
  authenticate(authorization: string | undefined, address: string): Promise<Editor>
  /** Makes a key and answers its secret, the only time it can be read. */
  make(name: string, scopes: readonly EditorScope[]): Promise<string>
  /** Revokes every live key of a name; answers how many there were. */
  revoke(name: string): Promise<number>
  list(): Promise<EditorKeyRow[]>
  /** Sees to it that the key from the settings works, and that one it replaced does not. Empty means none. */
  ensureFirstKey(secret: string): Promise<void>
}

/** The name of the key that comes from the settings. */
const firstKeyName = 'EDITOR_API_KEY'

export function createEditorKeyService({ database, clock, ids, rateLimits }: Deps): EditorKeyService {
  return {
    async authenticate(authorization, address) {
      await rateLimits.check('deskFailures', address)
      const secret = /^Bearer +([\x21-\x7e]{1,200})$/i.exec(authorization ?? '')?.[1]
      const key = secret === undefined ? null : await findLiveKey(database.db, sha256(secret))
      if (key === null) {
        if (secret !== undefined) await rateLimits.consume('deskFailures', address)
        throw new AppError('invalid-api-key', 401, 'Send a valid editor key: Authorization: Bearer tdk_…', {
          headers: { 'WWW-Authenticate': 'Bearer' },
        })
      }
      await noteUse(database.db, key.id, clock.now())
      return { id: key.id, name: key.name, scopes: scopesOf(key) }
    },
    async make(name, scopes) {
      const secret = ids.editorKey()
      await createKey(database.db, { name, scopes, secretHash: sha256(secret) })
      return secret
    },
    revoke: (name) => revokeKeys(database.db, name, clock.now()),
    list: () => listKeys(database.db),
    async ensureFirstKey(secret) {
      const secretHash = sha256(secret)
      await database.transaction(async (tx) => {
        await revokeKeys(tx, firstKeyName, clock.now(), secretHash)
        if (secret === '') return
        await createKeyOnce(tx, { name: firstKeyName, secretHash, scopes: editorScope.options })
      })
    },
  }
}

/** Throws `scope-missing` unless the editor's key has the scope. */
export function requireScope(editor: Editor, scope: EditorScope): void {
  if (editor.scopes.has(scope)) return
  throw new AppError('scope-missing', 403, `This key may not do that: it lacks the scope '${scope}'.`)
}

function scopesOf(key: EditorKeyRow): ReadonlySet<EditorScope> {
  return new Set(editorScope.array().parse(key.scopes))
}
