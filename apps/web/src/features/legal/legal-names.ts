import type { SiteConfig } from '@tidings/contracts/site-config'

/** The names in the legal texts: the site's, its company's and its editor's. */
export type LegalNames = { site: string } & SiteConfig['legal']

export function legalNames({ siteName, legal }: SiteConfig): LegalNames {
  return { site: siteName, ...legal }
}
