import { createHash } from 'node:crypto'
import { invalid } from '../protocol/errors.ts'
import type { KeptWorld } from './create-store.ts'

/** The key that the emulator knows from the start. Its account is the one with pages, webhooks and controls. */
export const builtInKey = 'sk_test_tidings_local'

export type Accounts = {
  /** Makes a key known, as `sk_test_…`, `rk_test_…` or `sk_live_…`. */
  add(secretKey: string): void
  /** Returns the records that a key opens; undefined for an unknown key. */
  find(secretKey: string): KeptWorld | undefined
  /** Returns the records of every account and mode. */
  list(): KeptWorld[]
}

const keyPattern = /^(?:sk|rk)_(test|live)_(\w+)$/
const settingName = 'known-keys'

/**
 * Separates the accounts by secret key. What follows the mode names the account: `sk_test_a` and `rk_test_a` open the same
 * records, `sk_live_a` opens other ones of the same account.
 */
export function createAccounts(
  builtIn: KeptWorld,
  open: (account: { id: string; isLive: boolean }) => KeptWorld,
): Accounts {
  const worlds = new Map([[nameOf(builtInKey), builtIn]])
  const known = new Set([builtInKey])

  function add(secretKey: string) {
    const name = nameOf(secretKey)
    known.add(secretKey)
    if (worlds.has(name)) return
    worlds.set(name, open({ id: accountIdOf(secretKey), isLive: name.startsWith('live_') }))
  }

  const kept: string[] = JSON.parse(builtIn.setting(settingName) ?? '[]')
  for (const secretKey of kept) add(secretKey)

  return {
    add(secretKey) {
      add(secretKey)
      builtIn.setSetting(settingName, [...known])
    },
    find: (secretKey) => (known.has(secretKey) ? worlds.get(nameOf(secretKey)) : undefined),
    list: () => [...worlds.values()],
  }
}

/** Returns the account of a key; the same one for its keys of both modes. */
export function accountIdOf(secretKey: string): string {
  const [, account = ''] = nameOf(secretKey).split(/_(.*)/s)
  return `acct_${createHash('sha256').update(account).digest('hex').slice(0, 16)}`
}

function nameOf(secretKey: string): string {
  const [, mode, account] = keyPattern.exec(secretKey) ?? []
  if (mode === undefined) throw invalid(`Not a secret key: it takes sk_test_…, rk_test_… or sk_live_….`)
  return `${mode}_${account}`
}
