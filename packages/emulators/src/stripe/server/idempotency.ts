import { createHash } from 'node:crypto'
import { ApiError } from '../protocol/errors.ts'
import type { AccountStore } from '../store/create-store.ts'

export type StoredReply = { status: number; body: string; requestId: string }

type Entry = StoredReply & { fingerprint: string; at: number }

export type IdempotencyKeys = {
  /**
   * Returns the response under a key. Throws `idempotency_error` for another call, and `idempotency_key_in_use`
   * while its call runs.
   */
  find(key: string, fingerprint: string): StoredReply | undefined
  begin(key: string): void
  end(key: string): void
  keep(key: string, fingerprint: string, reply: StoredReply): void
}

const keptSeconds = 86_400
const keptKeys = 10_000
const settingPrefix = 'idempotency:'

/** Stores the responses of the last 24 hours by idempotency key, across restarts. */
export function createIdempotencyKeys(store: AccountStore): IdempotencyKeys {
  const entries = new Map<string, Entry>()
  const inUse = new Set<string>()
  for (const name of store.settingNames()) {
    if (!name.startsWith(settingPrefix)) continue
    const entry: Entry = JSON.parse(store.setting(name) ?? '')
    entries.set(decodeURIComponent(name.slice(settingPrefix.length)), entry)
  }

  function pruneExpired() {
    for (const [key, { at }] of entries) {
      if (at > store.wallTime() - keptSeconds && entries.size <= keptKeys) return
      entries.delete(key)
      store.setSetting(nameOf(key), undefined)
    }
  }

  return {
    find(key, fingerprint) {
      pruneExpired()
      if (inUse.has(key)) throw keyInUse(key)
      const entry = entries.get(key)
      if (entry && entry.fingerprint !== fingerprint) throw otherCall(key)
      return entry
    },
    begin: (key) => inUse.add(key),
    end: (key) => inUse.delete(key),
    keep(key, fingerprint, reply) {
      const entry = { ...reply, fingerprint, at: store.wallTime() }
      entries.set(key, entry)
      store.setSetting(nameOf(key), entry)
    },
  }
}

/** Returns a text that is equal for equal calls with equal parameters. */
export function fingerprintOf(method: string, path: string, params: unknown): string {
  return createHash('sha256')
    .update(JSON.stringify([method, path, params]))
    .digest('base64url')
}

function nameOf(key: string) {
  return settingPrefix + encodeURIComponent(key)
}

function otherCall(key: string) {
  const message = `Keys for idempotent requests can only be used with the same parameters they were first used with. Try using a key other than '${key}' if you meant to execute a different request.`
  return new ApiError('idempotency_error', message, { isBegun: false })
}

function keyInUse(key: string) {
  const message = `There is currently another in-progress request using this Idempotent Key (that probably means you submitted twice, and the other request is still going through): ${key}. Please try again later.`
  const details = { code: 'idempotency_key_in_use', status: 409, isBegun: false }
  return new ApiError('idempotency_error', message, details)
}
