import type { WorkboxPlugin } from 'workbox-core'
import { deleteKept, keptCaches, memberCaches } from '../lib/storage/kept.ts'

/** The caches that need the gate's pass. */
export const gateCaches = createCaches(Object.values(keptCaches))

/** The caches that need the member's session. */
export const sessionCaches = createCaches(memberCaches)

/** Creates caches that are deleted when a pass or a session ends, and then get no reply that was requested before. */
function createCaches(names: Parameters<typeof deleteKept>[0]) {
  let deletions = 0
  const plugin: WorkboxPlugin = {
    async handlerWillStart({ state }) {
      if (state !== undefined) state.deletions = deletions
    },
    cacheWillUpdate: async ({ response, state }) =>
      response.status === 200 && state?.deletions === deletions ? response : null,
    async cacheDidUpdate({ state }) {
      // They were deleted while the reply was being written.
      if (state?.deletions !== deletions) await deleteKept(names)
    },
  }
  return {
    plugin,
    async delete(): Promise<void> {
      deletions += 1
      await deleteKept(names)
    },
  }
}

/** Keeps the newest replies of a cache, up to a number. */
export function newest(maxEntries: number): WorkboxPlugin {
  return {
    async cacheDidUpdate({ cacheName }) {
      const cache = await caches.open(cacheName)
      const oldest = (await cache.keys()).slice(0, -maxEntries)
      await Promise.all(oldest.map((request) => cache.delete(request, { ignoreVary: true })))
    },
  }
}

/** Deletes everything once the server requires another pass of the gate. */
export const behindGate: WorkboxPlugin = {
  async fetchDidSucceed({ response }) {
    if (response.status === 401 && (await isGateRequired(response.clone()))) await gateCaches.delete()
    return response
  },
}

async function isGateRequired(response: Response): Promise<boolean> {
  return (await response.text()).includes('"gate-required"')
}

/**
 * Keeps a reply under the session that requested it, so that no other member gets it, and deletes it once the server
 * refuses it: the session has ended, the plan has, or the article was withdrawn.
 */
export const ofSession: WorkboxPlugin = {
  cacheKeyWillBeUsed: ({ request }) => keyOf(request),
  async fetchDidSucceed({ request, response }) {
    if (response.status === 401) await sessionCaches.delete()
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
