import { paths } from '@tidings/contracts/paths'
import { clientsClaim, type WorkboxPlugin } from 'workbox-core'
import { ExpirationPlugin } from 'workbox-expiration'
import {
  cleanupOutdatedCaches,
  createHandlerBoundToURL,
  matchPrecache,
  type PrecacheEntry,
  precache,
} from 'workbox-precaching'
import { registerRoute } from 'workbox-routing'
import { CacheFirst, NetworkFirst } from 'workbox-strategies'
import { keptCaches, keptForMs, sessionEndedMessage } from '../lib/storage/kept.ts'
import { handleNotifications } from './notifications.ts'
import { behindGate, gateCaches, newest, ofSession, sessionCaches } from './private-caches.ts'
import {
  isKeptArticlePath,
  isKeptArticlePicturePath,
  isKeptEditionPath,
  isKeptPicturePath,
  isReadingFont,
  isShellUrl,
  keepScreensMessage,
  shellRevision,
  skipWaitingMessage,
} from './rules.ts'
import { deleteOldScreenFiles, fontFiles, keepScreenFiles, screenFiles } from './screen-files.ts'

type WaitUntil = { waitUntil: (work: Promise<unknown>) => void }

declare const __PRECACHED_FILES__: PrecacheEntry[]
declare const self: {
  registration: ServiceWorkerRegistration
  skipWaiting: () => Promise<void>
  addEventListener: {
    (type: 'message', listener: (event: MessageEvent & WaitUntil) => void): void
    (type: 'install' | 'activate', listener: (event: WaitUntil) => void): void
  }
}

const networkTimeoutSeconds = 10
const editionsKept = 90
const picturesKept = 120
const articlesKept = 60

function expiration(maxEntries: number): WorkboxPlugin {
  // Without `ignoreVary`, a reply that varies would be expired, but never deleted.
  const matchOptions = { ignoreVary: true }
  const options = { maxEntries, maxAgeSeconds: keptForMs / 1000, purgeOnQuotaError: true, matchOptions }
  const { cacheDidUpdate, cachedResponseWillBeUsed } = new ExpirationPlugin(options)
  return {
    ...(cacheDidUpdate === undefined ? {} : { cacheDidUpdate }),
    ...(cachedResponseWillBeUsed === undefined ? {} : { cachedResponseWillBeUsed }),
  }
}

precache([
  ...__PRECACHED_FILES__,
  // A file's name contains a hash of its content, so it needs no revision.
  ...fontFiles.filter(isReadingFont).map((url) => ({ url, revision: null })),
  { url: paths.neutralShell, revision: shellRevision },
])
cleanupOutdatedCaches()

registerRoute(
  ({ url, sameOrigin }) => sameOrigin && url.pathname.startsWith('/static/'),
  async ({ request, event }) =>
    (await matchPrecache(request.url)) ?? (await screenFiles.handle({ request, event })),
)

registerRoute(
  ({ request, url, sameOrigin }) => sameOrigin && request.mode === 'navigate' && isShellUrl(url),
  createHandlerBoundToURL(paths.neutralShell),
)
registerRoute(
  ({ url, sameOrigin }) => sameOrigin && isKeptEditionPath(url.pathname),
  new NetworkFirst({
    cacheName: keptCaches.editions,
    networkTimeoutSeconds,
    plugins: [behindGate, expiration(editionsKept), gateCaches.plugin],
  }),
)
registerRoute(
  ({ url, sameOrigin }) => sameOrigin && isKeptPicturePath(url.pathname),
  new CacheFirst({
    cacheName: keptCaches.pictures,
    plugins: [behindGate, expiration(picturesKept), gateCaches.plugin],
  }),
)
registerRoute(
  ({ url, request, sameOrigin }) =>
    sameOrigin && isKeptArticlePath(url.pathname) && request.headers.has('authorization'),
  new NetworkFirst({
    cacheName: keptCaches.articles,
    networkTimeoutSeconds,
    matchOptions: { ignoreVary: true },
    plugins: [behindGate, ofSession, newest(articlesKept), gateCaches.plugin, sessionCaches.plugin],
  }),
)
registerRoute(
  ({ url, request, sameOrigin }) =>
    sameOrigin && isKeptArticlePicturePath(url.pathname) && request.mode !== 'navigate',
  new CacheFirst({
    cacheName: keptCaches.articlePictures,
    matchOptions: { ignoreVary: true },
    plugins: [behindGate, newest(articlesKept), gateCaches.plugin, sessionCaches.plugin],
  }),
)

// The first version is ready with the shell and what reading needs; the page then asks for the rest. An update is offered
// once it is complete, because it may be accepted without a network.
self.addEventListener('install', (event) => {
  if (self.registration.active !== null) event.waitUntil(keepScreenFiles())
})
self.addEventListener('activate', (event) => event.waitUntil(deleteOldScreenFiles()))

// An update waits until the reader asks for it. The first version serves the open page at once.
self.addEventListener('message', (event) => {
  if (event.data === skipWaitingMessage) void self.skipWaiting()
  if (event.data === keepScreensMessage) event.waitUntil(keepScreenFiles())
  if (event.data === sessionEndedMessage) event.waitUntil(sessionCaches.delete())
})
handleNotifications()
clientsClaim()
