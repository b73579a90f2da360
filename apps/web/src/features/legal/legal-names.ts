import type { SiteConfig } from '@tidings/contracts/site/site-config'

/** The names in the legal texts, and what happens to the payment details of deleted accounts. */
export type LegalNames = { site: string } & Pick<SiteConfig, 'customerOnDeletion'> & SiteConfig['legal']

export function legalNames({ siteName, customerOnDeletion, legal }: SiteConfig): LegalNames {
  return { site: siteName, customerOnDeletion, ...legal }
}
