import { type EndToEndSite, endToEndEnvironment } from '@tidings/launcher/end-to-end'

/** The running site that the journeys visit. Playwright's workers learn of it through the environment. */
export const siteUnderTest = {
  /** Its address; empty until it is known. */
  url: () => process.env.TIDINGS_SITE_URL ?? '',
  password: () => process.env.TIDINGS_SITE_PASSWORD ?? '',
  editorKey: () => process.env.TIDINGS_EDITOR_KEY ?? '',
  inboxUrl: () => process.env.TIDINGS_INBOX_URL ?? '',
  /** The origin of the stand-in for Stripe. */
  stripeUrl: () => process.env.TIDINGS_STRIPE_URL ?? '',
  publicKey: () => process.env.TIDINGS_PUBLIC_KEY ?? 'pk_tidings',
  /** The other origin whose pages may speak the membership protocol; one that development always allows when not named. */
  guestOrigin: () => process.env.TIDINGS_GUEST_ORIGIN ?? 'http://localhost:5173',
  /** Makes a site that was just started known to the workers. */
  announce(site: EndToEndSite): void {
    Object.assign(process.env, endToEndEnvironment(site))
  },
}
