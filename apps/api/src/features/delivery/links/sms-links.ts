import { smsLinkPath } from '@tidings/contracts/paths'
import { createShortSigner } from '#platform/signing.ts'
import { noDelivery, type RefusedLink } from './signed-links.ts'

/** The targets of a short link: the web view of a delivery, or its PDF with pages for a phone or A4. */
export const smsPurposes = ['view', 'pdf', 'a4'] as const
export type SmsPurpose = (typeof smsPurposes)[number]

/** The contents of a token. Only the ledger knows whether its delivery exists, and since when. */
export type OpenedSmsLink = { status: 'valid'; purpose: SmsPurpose; deliveryId: string } | RefusedLink

// 96 bits. ADR 0052 has the arithmetic.
const signatureBytes = 12
const idDigits = 31
const token37 = /^[\w-]{37}$/

/** The version of a delivery's id, a UUIDv7, which its token leaves out. */
const versionAt = 12
const version = '7'

export type SmsLinks = ReturnType<typeof createSmsLinks>

/** Signs the links in texts: 37 characters for the delivery's id and a signature that is bound to what the link opens. */
export function createSmsLinks({ secret, siteUrl }: { secret: string; siteUrl: URL }) {
  const signer = createShortSigner(secret, 'text-link', signatureBytes)

  return {
    linkTo(purpose: SmsPurpose, deliveryId: string): string {
      const signature = signer.signatureOf(`${purpose}:${deliveryId}`).toString('hex')
      // The last digit fills the 37th character, and the 38th is always the same.
      const bytes = Buffer.from(`${toDigits(deliveryId)}${signature}0`, 'hex')
      const token = bytes.toString('base64url').slice(0, 37)
      return new URL(smsLinkPath.replace(':token', token), siteUrl.origin).href
    },

    open(token: string): OpenedSmsLink {
      const digits = token37.test(token) ? Buffer.from(`${token}A`, 'base64url').toString('hex') : ''
      if (!digits.endsWith('0')) return { status: 'invalid' }
      const deliveryId = toId(digits.slice(0, idDigits))
      const signature = Buffer.from(digits.slice(idDigits, -1), 'hex')
      const purpose = smsPurposes.find((each) => signer.isSignatureOf(`${each}:${deliveryId}`, signature))
      if (purpose === undefined) return { status: 'invalid' }
      return deliveryId === noDelivery ? { status: 'test' } : { status: 'valid', purpose, deliveryId }
    },
  }
}

/** Returns the digits of an id without its version. Throws for an id that `toId` would not return. */
function toDigits(id: string): string {
  const all = id.replaceAll('-', '').toLowerCase()
  const digits = all.slice(0, versionAt) + all.slice(versionAt + 1)
  if (digits.length !== idDigits || toId(digits) !== id.toLowerCase()) throw new Error('Not a UUIDv7')
  return digits
}

function toId(digits: string): string {
  if (/^0+$/.test(digits)) return noDelivery
  const all = digits.slice(0, versionAt) + version + digits.slice(versionAt)
  return all.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5')
}
