import { domainToASCII } from 'node:url'

// No white space, nothing that has a meaning in addresses, and no character that cannot be seen or stored.
const mailbox = /^[^\s\p{C}@"(),:;<>[\\\]]{1,64}$/u
const domain = /^(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)+(?:[a-z]{2,63}|xn--[a-z0-9-]{0,58}[a-z0-9])$/
const domainCharacters = /^[\p{L}\p{M}\p{N}.-]+$/u
// RFC 5321, 4.5.3.1.3, less the angle brackets.
const longestAddress = 254

/**
 * The one spelling of an e-mail address: small letters, compatible characters unified, the domain in ASCII. Null when
 * it is none.
 */
export function parseEmailAddress(text: string): string | null {
  const address = text
    .normalize('NFKC')
    .trim()
    .replace(/^mailto:/i, '')
  const at = address.lastIndexOf('@')
  const local = address.slice(0, at).toLowerCase()
  const host = toAsciiDomain(address.slice(at + 1).toLowerCase())
  const spelt = `${local}@${host}`
  const valid = mailbox.test(local) && !/^\.|\.\.|\.$/.test(local) && domain.test(host)
  return valid && Buffer.byteLength(spelt) <= longestAddress ? spelt : null
}

const gmailDomains = ['gmail.com', 'googlemail.com']

/** Returns the mailbox of an address, for limits alone: without a `+tag`, and at Gmail without dots. */
export function mailboxOf(email: string): string {
  const at = email.lastIndexOf('@')
  const host = email.slice(at + 1)
  const [name = ''] = email.slice(0, at).split('+')
  return gmailDomains.includes(host) ? `${name.replaceAll('.', '')}@gmail.com` : `${name}@${host}`
}

/** Node reads a domain as a browser reads an address, and would drop a path or undo escapes. */
function toAsciiDomain(text: string): string {
  return domainCharacters.test(text) ? domainToASCII(text) : ''
}
