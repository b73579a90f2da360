/** A lookup in DNS. Each method returns nothing where there is no record, and throws {@link DnsUnavailableError}. */
export type DnsLookup = {
  /** TXT records, each as one text: DNS splits long ones. */
  texts(name: string): Promise<readonly string[]>
  mailExchanges(name: string): Promise<readonly { exchange: string; priority: number }[]>
  addresses(name: string): Promise<readonly string[]>
  /** The names of an address (PTR). */
  names(address: string): Promise<readonly string[]>
}

/** No server replied, or one could not say. */
export class DnsUnavailableError extends Error {
  constructor(name: string, code: string) {
    super(`DNS did not say what ${name} has (${code})`)
    this.name = 'DnsUnavailableError'
  }
}
