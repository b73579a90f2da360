import { deliveryLinkPaths } from '@tidings/contracts/paths'
import type { Clock } from '#platform/clock.ts'
import { createSigner } from '#platform/signing.ts'
import type { DeliveryLinks } from '../emails/links-template.ts'

/** What a link opens. The subject of `picture` is an edition key and a file, of the others a delivery. */
export type LinkPurpose = keyof typeof deliveryLinkPaths

/** What a token says: its subject, that it has expired, or that it is not ours. */
export type OpenedLink = { status: 'valid'; subject: string } | { status: 'expired' | 'invalid' }

// Readers keep emails, and one-click unsubscribing must work for long.
const linkDays = 400
const dayMs = 86_400_000

export type SignedLinks = ReturnType<typeof createSignedLinks>

/** Signs the links in emails, which work without a gate pass or a session. */
export function createSignedLinks({
  secret,
  siteUrl,
  clock,
}: {
  secret: string
  siteUrl: URL
  clock: Clock
}) {
  const signer = createSigner(secret, 'delivery-link')

  function linkTo(purpose: LinkPurpose, subject: string): string {
    const expiresOn = Math.floor(clock.now().getTime() / dayMs) + linkDays
    const token = signer.sign(`${purpose}:${subject}:${expiresOn}`).slice(purpose.length + 1)
    return new URL(deliveryLinkPaths[purpose].replace(':token', token), siteUrl.origin).href
  }

  return {
    linkTo,
    /** Returns the links of a delivery's email. */
    ofDelivery: (deliveryId: string): DeliveryLinks => ({
      webView: linkTo('view', deliveryId),
      preferences: linkTo('preferences', deliveryId),
      unsubscribe: linkTo('unsubscribe', deliveryId),
    }),
    open(purpose: LinkPurpose, token: string): OpenedLink {
      const value = signer.verify(`${purpose}:${token}`)
      if (value === null) return { status: 'invalid' }
      const [, subject = '', expiresOn] = value.split(':')
      if (Number(expiresOn) * dayMs < clock.now().getTime()) return { status: 'expired' }
      return { status: 'valid', subject }
    },
  }
}
