import { domainToASCII } from 'node:url'

/** Options of every transport: servers that are slow to connect fail, and messages read no files or URLs. */
export const transportOptions = {
  pool: true,
  connectionTimeout: 10_000,
  greetingTimeout: 10_000,
  dnsTimeout: 10_000,
  disableFileAccess: true,
  disableUrlAccess: true,
} as const

/** The library's report of a failed message. */
export type SmtpError = {
  /** As Node, OpenSSL or the library names it, such as `ECONNREFUSED`. */
  code: string
  /** The command that failed, such as `RCPT TO`. */
  command: string
  /** The server's status; 0 without a reply. */
  status: number
  response: string
  message: string
}

/** Reads an error of the library. */
export function smtpErrorOf(error: unknown): SmtpError {
  const field = (name: string) =>
    error instanceof Error ? Object.getOwnPropertyDescriptor(error, name)?.value : undefined
  return {
    // The library replaces the code of a system or TLS error, such as DEPTH_ZERO_SELF_SIGNED_CERT, by its own ESOCKET.
    code: String(field('originalCode') ?? field('code') ?? 'unknown'),
    command: String(field('command') ?? ''),
    status: Number(field('responseCode') ?? 0),
    response: String(field('response') ?? ''),
    message: String(field('message') ?? ''),
  }
}

/** Returns whether the text is one plain address, which can neither end a header nor add a name or a recipient. */
export function isOneAddress(text: string): boolean {
  return /^[^\s\p{Cc}<>,;:"()[\]\\@]+@[^\s\p{Cc}<>,;:"()[\]\\@]+$/u.test(text)
}

/** Returns whether the text is a message id without its host, which can't end its header. */
export function isMessageId(text: string): boolean {
  return /^[\w.-]+$/.test(text)
}

/** A sender, whose name the library quotes or encodes, and the host of its address. */
export type Sender = { from: { name: string; address: string }; host: string }

/**
 * Reads a sender such as `Tidings <hello@example.com>`. Its name may contain any sign: the library would read a comma as
 * the end of an address. Throws if there is no address.
 */
export function senderOf(text: string): Sender {
  const [, given = '', bracketed] = /^(.*)<([^\s<>]+)>\s*$/s.exec(text) ?? []
  const address = bracketed ?? text.trim()
  const host = domainToASCII(/^[^\s<>@]+@([^\s<>@]+)$/.exec(address)?.[1] ?? '')
  if (host === '') {
    throw new Error('The sender of emails must be an address, such as Tidings <hello@example.com>')
  }
  const quoted = /^"(.*)"$/s.exec(given.trim())?.[1]?.replaceAll(/\\(.)/gs, '$1')
  return { from: { name: quoted ?? given.trim(), address }, host }
}
