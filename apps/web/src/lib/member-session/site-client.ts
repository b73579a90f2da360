import { createMembershipClient, type MembershipClient } from '@tidings/client'
import type { SiteConfig } from '@tidings/contracts/site/site-config'
import { createModals, type Modals } from '@tidings/widget'
import { endAfterLeaving } from '../notifications/notified-browser.ts'
import type { Store } from '../storage/store.ts'

/** The client of the site's own membership app, with its dialogs. */
export type SiteClient = MembershipClient & Modals

/** Ends the session on purpose. */
type Leave = <Result>(act: (client: MembershipClient) => Promise<Result>) => Promise<Result>

type Deps = { config: SiteConfig; deviceStore: Store; leave: Leave }

/**
 * Creates the client. Its logout, which the dialogs use too, leaves on purpose. The notifications of this browser end with
 * the session, and with the account.
 */
export function createSiteClient({ config, deviceStore, leave }: Deps): SiteClient {
  const { appId, appPublicKey } = config
  const client = createMembershipClient({
    apiBase: window.location.origin,
    publicKey: appPublicKey,
    appId: appId === '' ? undefined : appId,
  })
  const { logout, deleteMember } = client
  Object.assign(client, {
    async logout() {
      const reply = await leave(logout)
      await endAfterLeaving(deviceStore)
      return reply
    },
    async deleteMember() {
      const reply = await deleteMember()
      await endAfterLeaving(deviceStore)
      return reply
    },
  })
  return Object.assign(client, createModals(client))
}
