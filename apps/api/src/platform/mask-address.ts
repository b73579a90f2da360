/** Masks an email address: `j•••@example.com`. */
export function maskAddress(address: string): string {
  const at = address.lastIndexOf('@')
  const [first = ''] = address.slice(0, Math.max(at, 0))
  return at < 1 ? '•••' : `${first}•••${address.slice(at)}`
}
