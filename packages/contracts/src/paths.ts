/** The addresses of pages and files. Those of endpoints are in `routes.ts` and in the contract of their feature. */
export const paths = {
  openapi: '/openapi.json',
  docs: '/docs',
  /** The shell without anything about its requester, which the service worker keeps. */
  neutralShell: '/shell.html',
  serviceWorker: '/service-worker.js',
  manifest: '/manifest.webmanifest',
  clientModule: '/membership/client.js',
  clientScript: '/membership/client.global.js',
  widgetScript: '/membership/widget.js',
  dialogsScript: '/membership/dialogs.js',
  widgetChunk: '/membership/widget/:file',
  providerIcon: '/membership/providers/:file',
  /** Where the page behind the emailed link posts. */
  verifyEmailByLink: '/auth/verify-email/confirm',
} as const

/** A preview of the desk, for some minutes. Its token can't be guessed. */
export const previewPagePath = '/l/preview/:token'

/** The signed links in emails and texts, by purpose. They need no gate pass. */
export const deliveryLinkPaths = {
  view: '/l/view/:token',
  picture: '/l/picture/:token',
  draft: '/l/draft/:token',
  pdf: '/l/pdf/:token',
  a4: '/l/a4/:token',
  preferences: '/l/preferences/:token',
  unsubscribe: '/l/unsubscribe/:token',
} as const

/** The short links in texts, where each character costs. They open the page or the PDF of a delivery, and nothing else. */
export const smsLinkPath = '/l/:token'

/** The first path segments of the API, which no screen or static page may use. */
export const reservedPrefixes = [
  'gate',
  'cms',
  'edition',
  'media',
  'gated',
  'socket',
  'desk',
  'healthz',
  'readyz',
  'metrics',
  'openapi.json',
  'docs',
  'static',
  'auth',
  'app',
  'app-member',
  'member',
  'member-auth',
  'secure-content',
  'comments',
  'auth-provider',
  'webhooks',
  'l',
  'profile-images',
  'feeds',
  'membership',
  'page-view',
  'event',
  'shell.html',
  'service-worker.js',
  'manifest.webmanifest',
] as const

/** The patterns of the screens' hash paths. `:name` is one segment. */
export const screenPaths = [
  '/',
  '/home',
  '/edition/:timestamp',
  '/footer',
  '/protect',
  '/auth',
  '/account/login',
  '/account/signup',
  '/resetpassword',
  '/archive',
  '/account/change-plan',
  '/gated',
  '/viewgated/:gatedID',
  '/changepassword',
  '/account/dashboard',
  '/search',
] as const
