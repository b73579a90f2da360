import type { DeskConfig } from '@tidings/contracts/desk/desk-config'

const elementId = 'desk-config'

/** Reads the settings that the server wrote into the page. */
export function readDeskConfig(page: Document): DeskConfig {
  const config: unknown = JSON.parse(page.getElementById(elementId)?.textContent ?? '{}')
  if (!isDeskConfig(config)) throw new Error('The page has no settings')
  return config
}

function isDeskConfig(value: unknown): value is DeskConfig {
  return typeof value === 'object' && value !== null && 'siteName' in value && 'slots' in value
}
