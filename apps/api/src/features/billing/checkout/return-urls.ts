import { ForeignDestinationError } from '../billing.errors.ts'

/** Where a page wants its member to come back to, and the field in which it says so, for a refusal to name. */
export type RequestedUrl = readonly [field: string, address: string | null | undefined]

/** Origins whose pages may use the app, and the site's own address. */
export type AllowedUrls = { origins: ReadonlySet<string>; siteUrl: URL }

/**
 * The first address that is given, when it lies on an allowed origin; the site's dashboard when none is. Throws
 * `domain-not-permitted` for any other, so that nobody is led from a payment to a foreign page.
 */
export function chooseReturnUrl(given: readonly RequestedUrl[], { origins, siteUrl }: AllowedUrls): string {
  const [field, address] = given.find(([, one]) => one != null && one !== '') ?? ['', null]
  if (address == null) return new URL('/#/account/dashboard', siteUrl.origin).href
  const url = URL.parse(address)
  const isWeb = url?.protocol === 'https:' || url?.protocol === 'http:'
  if (url === null || !isWeb || url.username !== '' || url.password !== '')
    throw new ForeignDestinationError(field)
  if (url.origin !== siteUrl.origin && !origins.has(url.origin)) throw new ForeignDestinationError(field)
  return url.href
}
