import PostalMime, { type Email } from 'postal-mime'
import type { BounceReport } from './bounce-receiver.ts'

const reasonCharacters = 280

/** Reads a delivery status notification (RFC 3464). Returns null for any other email, such as an automatic reply. */
export async function parseDeliveryStatus(source: Uint8Array): Promise<BounceReport | null> {
  const email = await PostalMime.parse(source, { attachmentEncoding: 'utf8' })
  const part = email.attachments.find(({ mimeType }) => mimeType === 'message/delivery-status')
  if (part === undefined) return null
  const text = typeof part.content === 'string' ? part.content : new TextDecoder().decode(part.content)
  for (const block of text.trim().split(/\r?\n\s*\r?\n/)) {
    const fields = await PostalMime.parse(`${block.trim()}\r\n\r\n`)
    if (fieldOf(fields, 'action').toLowerCase() !== 'failed') continue
    const status = /\d\.\d{1,3}\.\d{1,3}/.exec(fieldOf(fields, 'status'))?.[0] ?? '5.0.0'
    const diagnosis = fieldOf(fields, 'diagnostic-code').replace(/^[\w-]+;\s*/, '')
    return { isPermanent: status.startsWith('5'), reason: reasonOf(`${status} ${diagnosis}`) }
  }
  return null
}

function fieldOf({ headers }: Email, name: string): string {
  return headers.find(({ key }) => key === name)?.value ?? ''
}

/** Servers quote addresses, which must not outlive a member. */
function reasonOf(text: string): string {
  return text
    .replaceAll(/\S*@\S*/g, '…')
    .replaceAll(/[\p{Cc}\s]+/gu, ' ')
    .trim()
    .slice(0, reasonCharacters)
}
