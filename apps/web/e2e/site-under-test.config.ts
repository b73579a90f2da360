import type { Site } from '@tidings/launcher/site'

/** The running site that the journeys visit. Playwright's workers learn of it through the environment. */
export const siteUnderTest = {
  /** Its address; empty until it is known. */
  url: () => process.env.TIDINGS_SITE_URL ?? '',
  password: () => process.env.TIDINGS_SITE_PASSWORD ?? '',
  editorKey: () => process.env.TIDINGS_EDITOR_KEY ?? '',
  /** Makes a site that was just started known to the workers. */
  announce(site: Site): void {
    process.env.TIDINGS_SITE_URL = site.url
    process.env.TIDINGS_SITE_PASSWORD = site.sitePassword
    process.env.TIDINGS_EDITOR_KEY = site.editorKey
    process.env.TIDINGS_INBOX_URL = site.inboxUrl
  },
}
