/** The caches that the service worker keeps on this device, and that the page reads before the network replies. */
export const keptCaches = {
  editions: 'tidings-editions',
  pictures: 'tidings-pictures',
  /** The gated articles that the member has opened, and their list. */
  articles: 'tidings-articles',
  articlePictures: 'tidings-article-pictures',
} as const

type KeptCache = (typeof keptCaches)[keyof typeof keptCaches]

/** The caches of the member who is logged in. */
export const memberCaches: readonly KeptCache[] = [keptCaches.articles, keptCaches.articlePictures]

/** The page's message to the service worker when the member's session has ended. */
export const sessionEndedMessage = 'session-ended'

const minute = 60_000
/** How long kept editions may be read after the gate was passed on this device. */
export const keptForMs = 30 * 24 * 60 * minute

/** Deletes everything that was kept behind the gate, or some of it. */
export async function deleteKept(names: readonly KeptCache[] = Object.values(keptCaches)): Promise<void> {
  // A page over plain HTTP has no cache storage.
  if (!('caches' in globalThis)) return
  await Promise.all(names.map((name) => caches.delete(name)))
}

/** Deletes what was kept for the member whose session has ended, also what the service worker is about to keep. */
export async function deleteKeptForMember(): Promise<void> {
  globalThis.navigator.serviceWorker?.controller?.postMessage(sessionEndedMessage)
  await deleteKept(memberCaches)
}

/** Opens the kept editions; null when there are none. */
export async function openKeptEditions(): Promise<Cache | null> {
  if (!('caches' in globalThis) || !(await caches.has(keptCaches.editions))) return null
  return await caches.open(keptCaches.editions)
}

/** Reads the JSON of a kept reply; null when it is not kept, or not JSON. */
export async function readKept(cache: Cache, url: string) {
  const response = await cache.match(url, { ignoreVary: true })
  return (await response?.json().catch(() => null)) ?? null
}
