import { type EndToEndSite, endToEndEnvironment } from '@tidings/launcher/end-to-end'

/** The running site that the browser tests visit, which Playwright's workers read from the environment. */
export const siteUnderTest = {
  /** Its URL; empty until the site is started. */
  url: () => process.env.TIDINGS_SITE_URL ?? '',
  password: () => process.env.TIDINGS_SITE_PASSWORD ?? '',
  editorKey: () => process.env.TIDINGS_EDITOR_KEY ?? '',
  inboxUrl: () => process.env.TIDINGS_INBOX_URL ?? '',
  /** Origin of the Stripe emulator. */
  stripeUrl: () => process.env.TIDINGS_STRIPE_URL ?? '',
  /** Address of its database, for what no caller of the API can change. */
  databaseUrl: () => process.env.TIDINGS_DATABASE_URL ?? '',
  publicKey: () => process.env.TIDINGS_PUBLIC_KEY ?? 'pk_tidings',
  /** The other origin whose pages may use the membership protocol; by default one that development always allows. */
  guestOrigin: () => process.env.TIDINGS_GUEST_ORIGIN ?? 'http://localhost:5173',
  /** The origin where a test serves the widget's examples, which development always allows too. */
  examplesOrigin: () => process.env.TIDINGS_EXAMPLES_ORIGIN ?? 'http://localhost:5174',
  /** Publishes a started site to the workers. */
  announce(site: EndToEndSite): void {
    Object.assign(process.env, endToEndEnvironment(site))
  },
}
