import type { Slot } from './edition-key.ts'

/** Id of the script element in the page's shell that carries {@link SiteConfig} as JSON. */
export const siteConfigElementId = 'site-config'

/** What the built page must know at run time. Written by the API into the shell; nothing secret. */
export type SiteConfig = {
  siteName: string
  timeZone: string
  slots: Slot[]
  /** Public key and id of the membership app; empty until one is configured. */
  appId: string
  appPublicKey: string
  /** Tag manager container id; empty loads nothing. */
  tagManagerId: string
  /** Host name on which unknown paths lead to `/`; empty for none. */
  stagingHost: string
  legal: {
    company: string
    editorInChief: string
    contactEmail: string
    address: string
    artworkCredit: string
  }
}
