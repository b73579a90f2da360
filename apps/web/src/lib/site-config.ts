import { type SiteConfig, siteConfigElementId } from '@tidings/contracts/site-config'
import { isRecord, listOf, parseJson, textOf } from './wire-reading.ts'

const defaults: SiteConfig = {
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

/** Reads the settings that the server wrote into the shell; what is missing has the defaults of development. */
export function readSiteConfig(page: Document): SiteConfig {
  return parseSiteConfig(page.getElementById(siteConfigElementId)?.textContent ?? '')
}

/** Reads the settings from their JSON text, field by field. */
export function parseSiteConfig(json: string): SiteConfig {
  const parsed = parseJson(json)
  const given = isRecord(parsed) ? parsed : {}
  const legal = isRecord(given.legal) ? given.legal : {}
  const slots = listOf(given.slots, parseSlot) ?? []
  return {
    siteName: textOf(given, 'siteName') || defaults.siteName,
    timeZone: textOf(given, 'timeZone') || defaults.timeZone,
    slots: slots.length > 0 ? slots : defaults.slots,
    appId: textOf(given, 'appId'),
    appPublicKey: textOf(given, 'appPublicKey'),
    tagManagerId: textOf(given, 'tagManagerId'),
    stagingHost: textOf(given, 'stagingHost'),
    legal: {
      company: textOf(legal, 'company') || defaults.legal.company,
      editorInChief: textOf(legal, 'editorInChief') || defaults.legal.editorInChief,
      contactEmail: textOf(legal, 'contactEmail') || defaults.legal.contactEmail,
      address: textOf(legal, 'address') || defaults.legal.address,
      artworkCredit: textOf(legal, 'artworkCredit') || defaults.legal.artworkCredit,
    },
  }
}

function parseSlot(item: unknown): { label: string; minutes: number } | null {
  if (!isRecord(item) || typeof item.label !== 'string' || typeof item.minutes !== 'number') return null
  return { label: item.label, minutes: item.minutes }
}
