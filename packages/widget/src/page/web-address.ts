/** Returns whether an address is of the web, which runs no script. */
export function isWebAddress(address: string): boolean {
  const url = URL.parse(address, document.baseURI)
  return url?.protocol === 'https:' || url?.protocol === 'http:'
}
