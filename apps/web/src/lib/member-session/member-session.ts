import type { Member } from '@tidings/contracts/membership/members'
import type { SiteConfig } from '@tidings/contracts/site/site-config'
import { loadChunk } from '../browser/chunk.ts'
import type { Store } from '../storage/store.ts'
import type { SiteClient } from './site-client.ts'

/** Where the client stores the access token. */
const tokenKey = '_ms-mid'

export type SessionChange = {
  /** The member as the client knows it; undefined when it is not known yet. */
  member: Member | null | undefined
  /** Whether a member logged in or out: what was read for the earlier one no longer counts. */
  isOtherSession: boolean
  /** Whether a member's session ended: by a logout, elsewhere, or because another member logged in. */
  hasLeft: boolean
}

export type MemberSession = ReturnType<typeof createMemberSession>

/**
 * Creates the member's session in this browser. Whether there is one is known at once; the client, which makes all
 * membership calls, is loaded when it is first needed.
 */
export function createMemberSession({ deviceStore, config }: { deviceStore: Store; config: SiteConfig }) {
  const listeners = new Set<(change: SessionChange) => void>()
  let client: SiteClient | null = null
  let loading: Promise<SiteClient> | null = null
  let token = readToken()
  let isLeaving = false
  let hasEnded = false

  function readToken(): string | null {
    return client === null ? deviceStore.get(tokenKey) : (client.getMemberToken() ?? null)
  }

  function update(member?: Member | null): void {
    const next = readToken()
    const isOtherSession = next !== token
    if (!isOtherSession && member === undefined) return
    const hasLeft = isOtherSession && token !== null
    if (isOtherSession) hasEnded = next === null && !isLeaving
    token = next
    for (const listener of listeners) listener({ member, isOtherSession, hasLeft })
  }

  /** Returns the client. Loads it the first time. */
  function getClient(): Promise<SiteClient> {
    loading ??= loadChunk(async () => {
      const { createSiteClient } = await import('./site-client.ts')
      client = createSiteClient({ config, deviceStore, leave })
      client.onAuthChange(update)
      update()
      return client
    }).catch((error: unknown) => {
      loading = null
      throw error
    })
    return loading
  }

  /** Ends the session on purpose, by logging out or by deleting the account. */
  async function leave<Result>(act: (client: SiteClient) => Promise<Result>): Promise<Result> {
    const loaded = await getClient()
    isLeaving = true
    try {
      return await act(loaded)
    } finally {
      update()
      isLeaving = false
    }
  }

  deviceStore.subscribe(({ key }) => {
    if (key === tokenKey) update()
  })

  return {
    isLoggedIn: () => token !== null,
    /** Returns whether the last session ended without a logout on this page: elsewhere, or because it expired. */
    hasEnded: () => hasEnded,
    /** Returns the access token, for the site's own API; null without a session. */
    token: () => token,
    getClient,
    /** Returns the client if it is loaded, else null. */
    loadedClient: () => client,
    leave,

    /** Asks the server whether the session is still active, after a request was refused. */
    async verify(): Promise<void> {
      try {
        await (await getClient()).getCurrentMember()
      } catch {
        // Unreachable: the session stays until the server is asked again.
      } finally {
        update()
      }
    },

    /** Calls back on login, logout and changes of the member, in any tab. */
    subscribe(listener: (change: SessionChange) => void): () => void {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
  }
}
