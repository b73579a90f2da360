/**
 * Returns the text of a server as one line. Servers quote addresses, which must not outlive a member in reasons and logs;
 * an encoded word (RFC 2047) may contain one.
 */
export function withoutAddresses(text: string, maxCharacters: number): string {
  return text
    .slice(0, 10 * maxCharacters)
    .replaceAll(/=\?[^\s?]+\?[bq]\?[^\s?]*\?=/gi, '…')
    .replaceAll(/"[^"@\n]{0,64}"@\S*/g, '…')
    .split(/(\s+)/)
    .map((word) => (/@|%40|\\x\{0*40\}|\+40/i.test(word) ? '…' : word))
    .join('')
    .replaceAll(/[\p{Cc}\s]+/gu, ' ')
    .trim()
    .slice(0, maxCharacters)
}
