import type { WorkboxPlugin } from 'workbox-core'
import { deleteKept, keptCaches, memberCaches } from '../lib/kept.ts'

/** How often a session has ended while this worker ran: a reply of an earlier session is not kept. */
let endedSessions = 0

/** Deletes what was kept for the member, and keeps nothing of the requests that are under way. */
export async function deleteForMember(): Promise<void> {
  endedSessions += 1
  await deleteKept(memberCaches)
}

/** Keeps replies until the session of their member ends, the newest ones up to a number. */
export function forMember(maxEntries: number): WorkboxPlugin {
  return {
    async handlerWillStart({ state }) {
      if (state !== undefined) state.endedSessions = endedSessions
    },
    cacheWillUpdate: async ({ response, state }) =>
      response.status === 200 && state?.endedSessions === endedSessions ? response : null,
    async cacheDidUpdate({ cacheName, state }) {
      // The session ended while the reply was being written.
      if (state?.endedSessions !== endedSessions) return await deleteKept(memberCaches)
      const cache = await caches.open(cacheName)
      const oldest = (await cache.keys()).slice(0, -maxEntries)
      await Promise.all(oldest.map((request) => cache.delete(request, { ignoreVary: true })))
    },
  }
}

/**
 * Keeps a reply under the session that requested it, so that no other member gets it, and deletes it once the server
 * refuses it: the session has ended, the plan has, or the article was withdrawn.
 */
export const ofSession: WorkboxPlugin = {
  cacheKeyWillBeUsed: ({ request }) => keyOf(request),
  async fetchDidSucceed({ request, response }) {
    if (response.status === 401) await deleteForMember()
    if (response.status === 403 || response.status === 404) {
      const cache = await caches.open(keptCaches.articles)
      await cache.delete(await keyOf(request), { ignoreVary: true })
    }
    return response
  },
}

/** Returns the address of a reply in the cache: with a hash of the access token, which itself is not kept. */
async function keyOf({ url, headers }: Request): Promise<string> {
  const token = new TextEncoder().encode(headers.get('authorization') ?? '')
  const hash = new Uint8Array(await crypto.subtle.digest('SHA-256', token))
  return `${url}?session=${[...hash].map((byte) => byte.toString(16).padStart(2, '0')).join('')}`
}
