/** What the service worker keeps on this device, and the page reads before the network replies. */
export const keptCaches = { editions: 'tidings-editions', pictures: 'tidings-pictures' } as const

const minute = 60_000
/** How long kept editions may be read after the gate was passed on this device. */
export const keptForMs = 30 * 24 * 60 * minute

/** Deletes everything that was kept behind the gate. */
export async function deleteKept(): Promise<void> {
  // A page over plain HTTP has no cache storage.
  if (!('caches' in globalThis)) return
  await Promise.all(Object.values(keptCaches).map((name) => caches.delete(name)))
}

/** Opens the kept editions; null when there are none. */
export async function openKeptEditions(): Promise<Cache | null> {
  if (!('caches' in globalThis) || !(await caches.has(keptCaches.editions))) return null
  return await caches.open(keptCaches.editions)
}
