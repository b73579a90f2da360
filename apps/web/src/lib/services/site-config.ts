import { siteConfigElementId, siteStartElementId } from '@tidings/contracts/site/element-ids'
import { type SiteConfig, siteConfigSchema } from '@tidings/contracts/site/site-config'
import { type SiteStart, siteStartSchema } from '@tidings/contracts/site/site-start'
import { parseJson } from '../api/json.ts'

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
  phoneRegion: 'US',
  smsCountries: ['US'],
  tagManagerId: '',
  stagingHost: '',
  editionComments: false,
  notifications: true,
  customerOnDeletion: 'delete',
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

/** Reads the gate's status and the first lists from the page's shell; null in a shell without them. */
export function readSiteStart(page: Document): SiteStart | null {
  const json = page.getElementById(siteStartElementId)?.textContent ?? ''
  return siteStartSchema.safeParse(parseJson(json)).data ?? null
}
