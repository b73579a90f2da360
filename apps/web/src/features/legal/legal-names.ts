import type { SiteConfig } from '@tidings/contracts/site-config'

/** The names that the legal texts speak of: the site's own and its company's. */
export type LegalNames = { site: string } & SiteConfig['legal']

/** Takes the names from the site's settings. */
export function legalNames({ siteName, legal }: SiteConfig): LegalNames {
  return { site: siteName, ...legal }
}
