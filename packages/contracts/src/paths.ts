/** All addresses of the site's own API. */
export const paths = {
  gate: '/gate',
  protect: '/cms/auth/protect',
  timeList: '/edition/prod/get_time_list/:date',
  edition: '/edition/prod/:key',
  archiveList: '/edition/prod/get_list',
  updateCounter: '/edition/update_counter',
  gatedList: '/edition/prod/get_gated_list',
  gatedArticle: '/edition/prod/get_gated_list/:gatedID',
  search: '/edition/search',
  media: '/media/:date/:timestamp/:file',
  gatedMedia: '/gated/:file',
  socket: '/socket',
  health: '/healthz',
  ready: '/readyz',
  metrics: '/metrics',
  openapi: '/openapi.json',
  docs: '/docs',
  /** The shell without anything about its requester, which the service worker keeps. */
  neutralShell: '/shell.html',
  serviceWorker: '/service-worker.js',
  manifest: '/manifest.webmanifest',
  desk: {
    editions: '/desk/v1/editions',
    edition: '/desk/v1/editions/:key',
    publish: '/desk/v1/editions/:key/publish',
    memos: '/desk/v1/editions/:key/memos',
    memo: '/desk/v1/memos/:id',
    media: '/desk/v1/media',
    articles: '/desk/v1/articles',
    article: '/desk/v1/articles/:id',
    publishArticle: '/desk/v1/articles/:id/publish',
    editionDeliveries: '/desk/v1/editions/:key/deliveries',
    stopEditionDeliveries: '/desk/v1/editions/:key/deliveries/stop',
    resumeEditionDeliveries: '/desk/v1/editions/:key/deliveries/resume',
    editionDeliveryReport: '/desk/v1/editions/:key/delivery-report',
    editionPdf: '/desk/v1/editions/:key/pdf',
    editionPreview: '/desk/v1/editions/:key/preview/:method',
    editionTestSend: '/desk/v1/editions/:key/test-send',
    digestDeliveries: '/desk/v1/digests/:date/deliveries',
    stopDigestDeliveries: '/desk/v1/digests/:date/deliveries/stop',
    resumeDigestDeliveries: '/desk/v1/digests/:date/deliveries/resume',
    digestDeliveryReport: '/desk/v1/digests/:date/delivery-report',
    digestPdf: '/desk/v1/digests/:date/pdf',
    digestPreview: '/desk/v1/digests/:date/preview/:method',
    digestTestSend: '/desk/v1/digests/:date/test-send',
    deliveries: '/desk/v1/deliveries',
    searchDeliveries: '/desk/v1/deliveries/search',
    resolveDelivery: '/desk/v1/deliveries/:id/resolve',
    deliverability: '/desk/v1/deliverability',
    audit: '/desk/v1/audit',
    contentGroups: '/desk/v1/content-groups',
    contentGroup: '/desk/v1/content-groups/:id',
    secureContents: '/desk/v1/secure-content',
    secureContent: '/desk/v1/secure-content/:contentId',
    comments: '/desk/v1/comments',
    comment: '/desk/v1/comments/:id',
    commentAuthor: '/desk/v1/comment-authors/:memberId',
  },
  profileImage: '/profile-images/:file',
  feedRss: '/feeds/rss',
  feedJson: '/feeds/json',
  /** A member's own; the token replaces the gate pass. */
  memberFeedRss: '/feeds/:token/rss',
  memberFeedJson: '/feeds/:token/json',
  clientModule: '/membership/client.js',
  clientScript: '/membership/client.global.js',
  widgetScript: '/membership/widget.js',
  dialogsScript: '/membership/dialogs.js',
  widgetChunk: '/membership/widget/:file',
  providerIcon: '/membership/providers/:file',
  stripeWebhook: '/webhooks/stripe',
  mailEvents: '/webhooks/mail/events',
  textStatus: '/webhooks/twilio/status',
  incomingText: '/webhooks/twilio/incoming',
} as const

/** The signed links in emails and texts, by purpose. They need no gate pass. */
export const deliveryLinkPaths = {
  view: '/l/view/:token',
  picture: '/l/picture/:token',
  pdf: '/l/pdf/:token',
  a4: '/l/a4/:token',
  preferences: '/l/preferences/:token',
  unsubscribe: '/l/unsubscribe/:token',
} as const

/** The short links in texts, where each character costs. They open the page or the PDF of a delivery, and nothing else. */
export const textLinkPath = '/l/:token'

/** All addresses of the membership protocol. `PROTOCOL.md` describes them. */
export const membershipPaths = {
  app: '/app',
  plan: '/app/plans/:planId',
  appMember: '/app-member',
  login: '/auth/login',
  signup: '/auth/signup',
  passwordlessLoginSend: '/auth/passwordless/login/send',
  passwordlessSignupSend: '/auth/passwordless/signup/send',
  passwordlessLogin: '/auth/passwordless/login',
  sendResetPasswordEmail: '/auth/send-reset-password-email',
  resetPassword: '/auth/reset-password',
  sendEmailVerification: '/auth/send-email-verification',
  verifyEmail: '/auth/verify-email',
  /** Where the page behind the emailed link posts. */
  verifyEmailByLink: '/auth/verify-email/confirm',
  captchaChallenge: '/auth/captcha/challenge',
  provider: '/auth-provider/:mode',
  providerCallback: '/auth-provider/callback/:provider',
  member: '/member',
  memberAuth: '/member-auth',
  memberJson: '/member/json',
  setPassword: '/member/set-password',
  profileImage: '/member/profile-image',
  logout: '/member/logout',
  disconnectProvider: '/member/disconnect-provider',
  addPlan: '/member/plans/add',
  removePlan: '/member/plans/remove',
  checkout: '/member/plans/create-checkout-session',
  billingPortal: '/member/create-billing-portal-session',
  changePlan: '/member/plans/change',
  previewPlanChange: '/member/plans/change/preview',
  sessions: '/member/sessions',
  session: '/member/sessions/:id',
  memberExport: '/member/export',
  memberFeed: '/member/feed',
  phone: '/member/phone',
  phoneVerification: '/member/phone/verification',
  verifyPhone: '/member/phone/verify',
  suppression: '/member/suppression',
  memberDeliveries: '/member/deliveries',
  pushDevices: '/member/push-devices',
  pushDevice: '/member/push-devices/:id',
  secureContent: '/secure-content',
  pageView: '/page-view',
  event: '/event',
  commentChannel: '/comments/channels/info',
  commentSubscription: '/comments/channels/manage-subscription',
  posts: '/comments/posts',
  post: '/comments/posts/:postId',
  updatePost: '/comments/posts/:postId/update',
  votePost: '/comments/posts/:postId/vote',
  typing: '/comments/posts/typing',
  threads: '/comments/threads',
  thread: '/comments/threads/:threadId',
  updateThread: '/comments/threads/:threadId/update',
  voteThread: '/comments/threads/:threadId/vote',
} as const

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

/** Returns the address of an edition's memos: `/edition/prod/11-20-26-10AM`. */
export function editionUrl(key: string): string {
  return `/edition/prod/${encodeURIComponent(key)}`
}

/** Returns the address of a day's time list. `date` is `MM-DD-YY`. */
export function timeListUrl(date: string): string {
  return `/edition/prod/get_time_list/${encodeURIComponent(date)}`
}

/** Returns the address of a gated article. */
export function gatedArticleUrl(id: string): string {
  return `/edition/prod/get_gated_list/${encodeURIComponent(id)}`
}

/** Returns the address of a memo's picture. `width` is in CSS pixels times the screen's density. */
export function mediaUrl(edition: { date: string; slot: string }, file: string, width?: number): string {
  const base = `/media/${encodeURIComponent(edition.date)}/${encodeURIComponent(edition.slot)}/${encodeURIComponent(file)}`
  return width === undefined ? base : `${base}?w=${width}`
}
