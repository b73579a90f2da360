import { createMembershipClient, type MembershipClient } from '@tidings/client'
import type { SiteConfig } from '@tidings/contracts/site-config'

/** Creates the client of the site's own membership app. */
export function createSiteClient({ appId, appPublicKey }: SiteConfig): MembershipClient {
  return createMembershipClient({
    apiBase: window.location.origin,
    publicKey: appPublicKey,
    appId: appId === '' ? undefined : appId,
  })
}
