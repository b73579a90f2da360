import { createHash } from 'node:crypto'
import { invalid } from '../protocol/errors.ts'
import type { AccountStore } from './create-store.ts'

/** The predefined key. Its account has pages, webhooks and the admin API. */
export const builtInKey = 'sk_test_tidings_local'

export type Accounts = {
  /** Registers a key: `sk_test_…`, `rk_test_…` or `sk_live_…`. */
  add(secretKey: string): void
  /** Returns the store of a key; undefined for an unknown key. */
  find(secretKey: string): AccountStore | undefined
  /** Returns the stores of every account and mode. */
  list(): AccountStore[]
}

const keyPattern = /^(?:sk|rk)_(test|live)_(\w+)$/
const settingName = 'known-keys'

/**
 * Creates one store per account and mode. `sk_test_a` and `rk_test_a` open the same one, `sk_live_a` another one of
 * the same account.
 */
export function createAccounts(
  builtIn: AccountStore,
  open: (account: { id: string; isLive: boolean }) => AccountStore,
): Accounts {
  const stores = new Map([[nameOf(builtInKey), builtIn]])
  const known = new Set([builtInKey])

  function add(secretKey: string) {
    const name = nameOf(secretKey)
    known.add(secretKey)
    if (stores.has(name)) return
    stores.set(name, open({ id: accountIdOf(secretKey), isLive: name.startsWith('live_') }))
  }

  const kept: string[] = JSON.parse(builtIn.setting(settingName) ?? '[]')
  for (const secretKey of kept) add(secretKey)

  return {
    add(secretKey) {
      add(secretKey)
      builtIn.setSetting(settingName, [...known])
    },
    find: (secretKey) => (known.has(secretKey) ? stores.get(nameOf(secretKey)) : undefined),
    list: () => [...stores.values()],
  }
}

/** Returns the account of a key, which is the same in both modes. */
export function accountIdOf(secretKey: string): string {
  const [, account = ''] = nameOf(secretKey).split(/_(.*)/s)
  return `acct_${createHash('sha256').update(account).digest('hex').slice(0, 16)}`
}

function nameOf(secretKey: string): string {
  const [, mode, account] = keyPattern.exec(secretKey) ?? []
  if (mode === undefined) throw invalid(`Not a secret key: it takes sk_test_…, rk_test_… or sk_live_….`)
  return `${mode}_${account}`
}
