import { type CalendarDate, parseEditionKey } from '@tidings/contracts/edition-key'

/** The site's slots in the tests of sentences. */
export const slots = [
  { label: '10AM', minutes: 600 },
  { label: '3PM', minutes: 900 },
  { label: '8PM', minutes: 1200 },
]

const zones = {
  'Los Angeles': 'America/Los_Angeles',
  Tijuana: 'America/Tijuana',
  Honolulu: 'Pacific/Honolulu',
  'New York': 'America/New_York',
  London: 'Europe/London',
  Kathmandu: 'Asia/Kathmandu',
  Tokyo: 'Asia/Tokyo',
}

/** Returns a moment of a reader of the site in Los Angeles, or in another zone. */
export function momentIn(
  reader: keyof typeof zones,
  instant: string,
  site: keyof typeof zones = 'Los Angeles',
) {
  return { slots, now: new Date(instant), siteZone: zones[site], readerZone: zones[reader] }
}

/** Returns the edition of a key. */
export function editionOf(key: string): { date: CalendarDate; slot: string } {
  const edition = parseEditionKey(key)
  if (edition === null) throw new Error(`${key} is not an edition key`)
  return edition
}
