import { createMembershipClient, type MembershipClient } from '@tidings/client'
import type { SiteConfig } from '@tidings/contracts/site-config'
import { createModals, type Modals } from '@tidings/widget'

/** The client of the site's own membership app, with its dialogs. */
export type SiteClient = MembershipClient & Modals

/** Ends the session on purpose. */
type Leave = <Result>(act: (client: MembershipClient) => Promise<Result>) => Promise<Result>

/** Creates the client. Its logout, which the dialogs use too, leaves on purpose. */
export function createSiteClient({ appId, appPublicKey }: SiteConfig, leave: Leave): SiteClient {
  const client = createMembershipClient({
    apiBase: window.location.origin,
    publicKey: appPublicKey,
    appId: appId === '' ? undefined : appId,
  })
  const { logout } = client
  Object.assign(client, { logout: () => leave(logout) })
  return Object.assign(client, createModals(client))
}
