import { deliveryMethods } from '@tidings/contracts/delivery/methods'
import { deliveryLinkPaths } from '@tidings/contracts/paths'
import type { FilledText } from '#integrations/mail/bulk-mailer.ts'
import type { PdfFormat } from '#integrations/pdf/pdf-document.ts'
import type { Clock } from '#platform/clock.ts'
import { createSigner } from '#platform/signing.ts'
import { type ChosenMethod, type DeliveryMethod, fromWireMethod } from '../methods.ts'

/**
 * The purpose of a link. Its subject is a delivery (`view`; `pdf` and `a4` in a text), an edition key with a file or a
 * format (`picture`, `pdf`), a file that readers can't fetch yet (`draft`), or a member with methods, to outlive the
 * delivery's row (`preferences`, `unsubscribe`).
 */
export type LinkPurpose = keyof typeof deliveryLinkPaths

/** The member who chose the methods that an unsubscribe link turns off. One message may carry deliveries by several. */
export type LinkedMember = { memberId: string; methods: readonly ChosenMethod[] }

/** The member whose preferences a link opens, while the member has this number. */
export type LinkOwner = { memberId: string; linkVersion: number }

/** The reason why a link opens nothing: it has expired, is not ours, or is one of a preview or a test. */
export type RefusedLink = { status: 'expired' | 'invalid' | 'test' }

/** The contents of a token. */
export type OpenedLink = { status: 'valid'; subject: string } | RefusedLink

/** The delivery that the links of previews and tests name, so that they open nothing and change nothing. */
export const noDelivery = '00000000-0000-0000-0000-000000000000'

const linkDays: Readonly<Record<LinkPurpose, number>> = {
  view: 400,
  picture: 400,
  // Long enough to read a test.
  draft: 7,
  pdf: 400,
  a4: 400,
  preferences: 400,
  // Readers keep emails for years, and report as spam what they can't unsubscribe from.
  unsubscribe: 3_650,
}
const dayMs = 86_400_000

/** The purpose of a link to a delivery's PDF, by its pages. */
export const pdfPurposes = { phone: 'pdf', a4: 'a4' } as const satisfies Record<PdfFormat, LinkPurpose>

/** The result of a token that names a member. */
type OpenedMemberLink = { status: 'valid'; member: LinkedMember & LinkOwner } | RefusedLink

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
    const expiresOn = Math.floor(clock.now().getTime() / dayMs) + linkDays[purpose]
    const token = signer.sign(`${purpose}:${subject}:${expiresOn}`).slice(purpose.length + 1)
    return new URL(deliveryLinkPaths[purpose].replace(':token', token), siteUrl.origin).href
  }

  function open(purpose: LinkPurpose, token: string): OpenedLink {
    const value = signer.verify(`${purpose}:${token}`)
    if (value === null) return { status: 'invalid' }
    const [, subject = '', expiresOn] = value.split(':')
    if (Number(expiresOn) * dayMs < clock.now().getTime()) return { status: 'expired' }
    return subject === noDelivery ? { status: 'test' } : { status: 'valid', subject }
  }

  return {
    linkTo,
    /** Returns the links of a delivery's email. Only the one to the preferences ends with its owner. */
    ofDelivery(
      deliveryId: string,
      { memberId, methods, linkVersion }: LinkOwner & { methods: readonly DeliveryMethod[] },
    ): DeliveryLinks {
      const subject = [memberId, ...methods].join('~')
      return {
        webView: linkTo('view', deliveryId),
        preferences: linkTo('preferences', `${subject}~${linkVersion}`),
        unsubscribe: linkTo('unsubscribe', subject),
      }
    },
    open,
    /**
     * Opens a link that names a member. Those of previews and tests name none; links sent before numbers existed have
     * none.
     */
    openMember(purpose: 'preferences' | 'unsubscribe', token: string): OpenedMemberLink {
      const link = open(purpose, token)
      if (link.status !== 'valid') return link
      const [memberId = '', ...parts] = link.subject.split('~')
      const methods = deliveryMethods.map(fromWireMethod).filter((method) => parts.includes(method))
      if (memberId === '') return { status: 'test' }
      if (methods.length === 0) return { status: 'expired' }
      const linkVersion = Number(parts.find((part) => /^\d+$/.test(part)) ?? 0)
      return { status: 'valid', member: { memberId, methods, linkVersion } }
    },
  }
}

/** The links of a delivery that differ for each member. */
export type DeliveryLinks = { webView: string; preferences: string; unsubscribe: string }

// Control characters, which no stored text contains.
const mark = '\u0001'

/** Stands for the links until {@link linksTemplate} fills them in. */
export const linkMarks: DeliveryLinks = {
  webView: `${mark}webView${mark}`,
  preferences: `${mark}preferences${mark}`,
  unsubscribe: `${mark}unsubscribe${mark}`,
}

/** Returns a function that fills a member's links into a text with {@link linkMarks}. */
export function linksTemplate(text: string): (links: DeliveryLinks) => FilledText {
  const split = text.split(new RegExp(`${mark}(webView|preferences|unsubscribe)${mark}`))
  const parts = split.filter((_, index) => index % 2 === 0)
  const names = split.filter((_, index) => index % 2 === 1).filter(isLinkName)
  return (links) => ({ parts, values: names.map((name) => links[name]) })
}

function isLinkName(name: string): name is keyof DeliveryLinks {
  return Object.hasOwn(linkMarks, name)
}
