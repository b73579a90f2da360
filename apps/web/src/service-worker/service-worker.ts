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
import { keptCaches, keptForMs, sessionEndedMessage } from '../lib/kept.ts'
import { behindGate, gateCaches, newest, ofSession, sessionCaches } from './private-caches.ts'
import {
  isKeptArticlePath,
  isKeptArticlePicturePath,
  isKeptEditionPath,
  isKeptPicturePath,
  isShellUrl,
  shellRevision,
  skipWaitingMessage,
} from './rules.ts'

declare const __PRECACHED_FILES__: PrecacheEntry[]
declare const self: {
  skipWaiting: () => Promise<void>
  addEventListener: (
    type: 'message',
    listener: (event: MessageEvent & { waitUntil: (work: Promise<unknown>) => void }) => void,
  ) => void
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

precache([...__PRECACHED_FILES__, { url: paths.neutralShell, revision: shellRevision }])
cleanupOutdatedCaches()

registerRoute(
  ({ url, sameOrigin }) => sameOrigin && url.pathname.startsWith('/static/'),
  async ({ request }) => (await matchPrecache(request.url)) ?? (await fetch(request)),
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

// An update waits until the reader asks for it. The first version serves the open page at once.
self.addEventListener('message', (event) => {
  if (event.data === skipWaitingMessage) void self.skipWaiting()
  if (event.data === sessionEndedMessage) event.waitUntil(sessionCaches.delete())
})
clientsClaim()
