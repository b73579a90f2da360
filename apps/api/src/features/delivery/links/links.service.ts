import type { Database } from '#platform/database.ts'
import { hasCode } from '#platform/errors.ts'
import { asObject } from '#platform/free-json.ts'
import type { MembershipApps } from '#platform/membership-apps/membership-apps.ts'
import { findMember, type MemberService, updateMember } from '../../members/index.ts'
import type { DeliverySite } from '../emails/edition-content.ts'
import { renderWebView } from '../emails/prepare-email.ts'
import { toEmailContent } from '../emails/to-email-content.ts'
import { readContent } from '../sending/content.ts'
import {
  type DeliveryMethod,
  findLinkedDelivery,
  type LinkedDelivery,
} from './linked-deliveries.repository.ts'
import { methodsOf, withMethods, withoutMethod } from './member-methods.ts'
import type { LinkPurpose, SignedLinks } from './signed-links.ts'

type Deps = {
  database: Database
  apps: MembershipApps
  members: Pick<MemberService, 'change'>
  signedLinks: SignedLinks
  appId: string
  deliverySite: DeliverySite
}

/** A delivery behind a link, or why there is none. */
export type LinkTarget = { status: 'valid'; delivery: LinkedDelivery } | { status: 'expired' | 'invalid' }

type Change = (fields: Readonly<Record<string, unknown>>) => Record<string, unknown>

export type LinkService = ReturnType<typeof createLinkService>

/** What the signed links in emails show and change, without a session. */
export function createLinkService({ database, apps, members, signedLinks, appId, deliverySite }: Deps) {
  /** Changes a member's fields; returns null when the account is deleted. */
  async function changeFields(memberId: string | null, change: Change) {
    const app = (await apps.directory()).byId.get(appId)
    if (memberId === null || app === undefined) return null
    try {
      const member = await members.change(app, memberId, async (tx, row) => {
        await updateMember(tx, memberId, { customFields: change(asObject(row.customFields)) })
      })
      return methodsOf(member.customFields)
    } catch (error) {
      if (hasCode(error, 'member-not-found')) return null
      throw error
    }
  }

  return {
    async open(purpose: LinkPurpose, token: string): Promise<LinkTarget> {
      const link = signedLinks.open(purpose, token)
      if (link.status !== 'valid') return link
      const delivery = await findLinkedDelivery(database.db, link.subject)
      return delivery === null ? { status: 'expired' } : { status: 'valid', delivery }
    },

    /** Renders what was delivered, as it is now; null if it was withdrawn. */
    async webView({ id, run }: LinkedDelivery): Promise<string | null> {
      const content = await readContent(database.db, run)
      if (content === null) return null
      return await renderWebView(
        toEmailContent(content, signedLinks),
        deliverySite,
        signedLinks.ofDelivery(id),
      )
    },

    /** Turns a delivery's method off. Returns the methods left on; null when the account is deleted. */
    unsubscribe: ({ memberId, method }: LinkedDelivery) =>
      changeFields(memberId, (fields) => withoutMethod(fields, method)),

    /** Replaces the member's methods; null when the account is deleted. */
    choose: ({ memberId }: LinkedDelivery, chosen: ReadonlySet<DeliveryMethod>) =>
      changeFields(memberId, (fields) => withMethods(fields, chosen)),

    /** Returns the member's methods; null when the account is deleted. */
    async methods({ memberId }: LinkedDelivery) {
      const row = memberId === null ? null : await findMember(database.db, memberId)
      return row === null ? null : methodsOf(asObject(row.customFields))
    },
  }
}
