import { createSigner } from '#platform/signing.ts'

const uuid = /^([0-9a-f]{8})([0-9a-f]{4})([0-9a-f]{4})([0-9a-f]{4})([0-9a-f]{12})$/

export type ReturnAddresses = ReturnType<typeof createReturnAddresses>

/** Signs a return address for each delivery (VERP). */
export function createReturnAddresses({ secret, domain }: { secret: string; domain: string }) {
  const signer = createSigner(secret, 'bounce-address')

  // Hexadecimal, because mail servers may change the case of an address.
  function signatureOf(id: string): string {
    const signed = signer.sign(id)
    return Buffer.from(signed.slice(signed.lastIndexOf('.') + 1), 'base64url')
      .toString('hex')
      .slice(0, 20)
  }

  function feedbackIdOf(deliveryId: string): string {
    const id = deliveryId.replaceAll('-', '')
    return `b.${id}.${signatureOf(id)}`
  }

  function deliveryOf(address: string): string | null {
    const [local = '', host = ''] = address.toLowerCase().split('@')
    const [mark, id = '', signature, ...rest] = local.split('.')
    const parts = uuid.exec(id)
    if (domain === '' || host !== domain.toLowerCase() || mark !== 'b' || rest.length > 0) return null
    return parts !== null && signature === signatureOf(id) ? parts.slice(1).join('-') : null
  }

  return {
    /** Returns the address for a delivery's bounces; null without BOUNCE_DOMAIN. */
    of: (deliveryId: string): string | null =>
      domain === '' ? null : `${feedbackIdOf(deliveryId)}@${domain}`,
    /** Returns the header with the same signature, for providers that remove addresses from complaints (RFC 9477). */
    headerOf: (deliveryId: string): Record<string, string> =>
      domain === '' ? {} : { 'CFBL-Feedback-ID': feedbackIdOf(deliveryId) },
    /** Returns whether mailbox providers send complaints to an address. Their quotation names the delivery. */
    isForComplaints: (address: string) =>
      domain !== '' && address.toLowerCase() === `complaints@${domain.toLowerCase()}`,
    /** Returns the delivery of an address; null if it is not one of ours. */
    deliveryOf,
    /** Returns the delivery of an address or a feedback ID; null if neither is ours. */
    deliveryOfQuoted: (text: string): string | null =>
      deliveryOf(text.includes('@') ? text : `${text}@${domain}`),
  }
}

const messageIdPrefix = 'delivery-'

/** Returns the Message-ID of a delivery, without the host. */
export function messageIdOf(deliveryId: string): string {
  return `${messageIdPrefix}${deliveryId}`
}

/** Returns the delivery of a Message-ID, with or without its host; null for another email's. */
export function deliveryIdOf(messageId: string): string | null {
  const pattern = new RegExp(
    `^<?${messageIdPrefix}([\\da-f]{8}(?:-[\\da-f]{4}){3}-[\\da-f]{12})(?:@[^>]*)?>?$`,
    'i',
  )
  return pattern.exec(messageId.trim())?.[1]?.toLowerCase() ?? null
}
