const gmailDomains = ['gmail.com', 'googlemail.com']

/** Returns the mailbox of an address, for limits alone: without a `+tag`, and at Gmail without dots. */
export function mailboxOf(email: string): string {
  const at = email.lastIndexOf('@')
  const host = email.slice(at + 1)
  const [name = ''] = email.slice(0, at).split('+')
  return gmailDomains.includes(host) ? `${name.replaceAll('.', '')}@gmail.com` : `${name}@${host}`
}

/** Masks an email address: `j•••@example.com`. */
export function maskAddress(address: string): string {
  const at = address.lastIndexOf('@')
  const [first = ''] = address.slice(0, Math.max(at, 0))
  return at < 1 ? '•••' : `${first}•••${address.slice(at)}`
}
