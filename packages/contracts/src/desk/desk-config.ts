import type { SiteConfig } from '../site/site-config.ts'

/** The settings that the server writes into the page of the desk. None is secret. */
export type DeskConfig = Pick<SiteConfig, 'siteName' | 'timeZone' | 'slots'> & {
  /** How long an edition is public before it is sent. */
  deliveryDelaySeconds: number
}
