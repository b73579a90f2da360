import { isPublicAddress } from './public-address.ts'
import type { ResolveName } from './resolve-name.ts'

/** The error of a name that leads to an address that is not public. */
export const refusedAddress = 'EADDRESSREFUSED'

/**
 * Resolves names to public addresses only, so that no one makes us call a server of our own network. A name with any other
 * address is refused. The caller connects to what is returned: a second lookup could have another result.
 */
export function onlyPublic(resolveName: ResolveName): ResolveName {
  return async (hostname) => {
    const found = await resolveName(hostname)
    if (found.length > 0 && found.every(({ address }) => isPublicAddress(address))) return found
    throw Object.assign(new Error('not a public address'), { code: refusedAddress })
  }
}
