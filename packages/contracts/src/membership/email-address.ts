import { normalizeEmail } from './typed-text.ts'

// Without white space, control characters, and characters with a meaning in addresses.
const mailbox = /^[^\s\p{C}@"(),:;<>[\\\]]{1,64}$/u
const domain = /^(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)+(?:[a-z]{2,63}|xn--[a-z0-9-]{0,58}[a-z0-9])$/
// With the joiners of Persian and Hindi, whose places IDNA checks.
const domainCharacters = /^(?:[\p{L}\p{M}\p{N}.-]|\u200C|\u200D)+$/u
// RFC 5321, 4.5.3.1.3, less the angle brackets.
const longestAddress = 254

/**
 * Returns the canonical form of an address, typed or pasted: lower case, its domain in ASCII. Null for an invalid one.
 * The letters before the @ stay as they are but for their case and width (RFC 8265, 3.3): others may name other mailboxes.
 */
export function parseEmailAddress(text: string): string | null {
  const address = normalizeEmail(text)
  const at = address.lastIndexOf('@')
  const local = address.slice(0, at).toLowerCase()
  const host = toAsciiDomain(address.slice(at + 1).toLowerCase())
  const normalized = `${local}@${host}`
  const valid = mailbox.test(local) && !/^\.|\.\.|\.$/.test(local) && domain.test(host)
  return valid && new TextEncoder().encode(normalized).length <= longestAddress ? normalized : null
}

/** Checks the characters first: a domain is parsed as a URL, which drops paths and decodes escapes. */
function toAsciiDomain(text: string): string {
  if (!domainCharacters.test(text)) return ''
  const address = `ws://${text}`
  return URL.canParse(address) ? new URL(address).hostname : ''
}
