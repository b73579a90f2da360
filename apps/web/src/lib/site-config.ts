import { type SiteConfig, siteConfigElementId, siteConfigSchema } from '@tidings/contracts/site-config'
import { parseJson } from './json.ts'

const developmentConfig: SiteConfig = {
  siteName: 'Tidings',
  timeZone: 'America/Los_Angeles',
  slots: [
    { label: '10AM', minutes: 600 },
    { label: '3PM', minutes: 900 },
    { label: '8PM', minutes: 1200 },
  ],
  appId: '',
  appPublicKey: '',
  tagManagerId: '',
  stagingHost: '',
  legal: {
    company: 'Tidings LLC',
    editorInChief: 'The Editor',
    contactEmail: 'hello@tidings.example',
    address: 'Los Angeles, California',
    artworkCredit: 'a group of scholars',
  },
}

/** Reads the settings that the server wrote into the page's shell. */
export function readSiteConfig(page: Document): SiteConfig {
  return parseSiteConfig(page.getElementById(siteConfigElementId)?.textContent ?? '')
}

/** Parses the settings; returns those of development for an empty shell, which Vite serves. */
export function parseSiteConfig(json: string): SiteConfig {
  const config = siteConfigSchema.safeParse(parseJson(json))
  return config.success ? config.data : developmentConfig
}
