import { CacheFirst } from 'workbox-strategies'

declare const __SCREEN_FILES__: string[]
declare const __FONT_FILES__: string[]
declare const self: { location: Location }

const cacheName = 'tidings-screens'
const files = __SCREEN_FILES__

/** The fonts of the build. */
export const fontFiles = __FONT_FILES__

/** Returns a file of the build that is kept, or keeps it from now on. */
export const screenFiles = new CacheFirst({ cacheName })

/** Keeps the code of all screens, one file at a time: the reader's own requests come first. */
export async function keepScreenFiles(): Promise<void> {
  const cache = await caches.open(cacheName)
  for (const url of files) {
    if ((await cache.match(url)) === undefined) await cache.add(url)
  }
}

/** Deletes what an earlier version kept. */
export async function deleteOldScreenFiles(): Promise<void> {
  const cache = await caches.open(cacheName)
  const kept = new Set([...files, ...fontFiles])
  const old = (await cache.keys()).filter(({ url }) => !kept.has(url.slice(self.location.origin.length)))
  await Promise.all(old.map((request) => cache.delete(request)))
}
