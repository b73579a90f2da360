import { isIP } from 'node:net'
import type { Config } from '#config/config.ts'
import type { PasskeySite } from '#integrations/passkeys/passkey-verifier.ts'

/** Where people open the desk, and what of it their browsers may use. */
export type DeskSite = ReturnType<typeof deskSiteOf>

/** Derives the site of the desk from `SITE_URL`. In development 127.0.0.1 is localhost, which passkeys need. */
export function deskSiteOf({ environment, site }: Pick<Config, 'environment' | 'site'>) {
  const url = new URL(site.url.origin)
  if (environment !== 'production' && url.hostname === '127.0.0.1') url.hostname = 'localhost'
  const { hostname, protocol } = url
  const isLocal = hostname === 'localhost' || hostname.endsWith('.localhost')
  const origins = new Set([...site.origins, url.origin])
  const passkeys: PasskeySite = {
    rpId: hostname,
    origins: [...origins].filter((origin) => new URL(origin).hostname === hostname),
    name: site.name,
  }
  return {
    name: site.name,
    language: site.language,
    /** Origins whose pages may make changes. */
    origins,
    isSecure: protocol === 'https:',
    passkeys,
    /** Whether browsers allow passkeys here: over HTTPS or on localhost, under a name. */
    hasPasskeys: isLocal || (protocol === 'https:' && isIP(hostname.replace(/^\[|\]$/g, '')) === 0),
    /** Returns the address of a page of the desk. */
    pageUrl: (path: string) => new URL(path, url).href,
  }
}
