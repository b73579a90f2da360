import { fail } from '../billing.errors.ts'

/** A URL that a page requests, with the field's name for the error. */
export type RequestedUrl = readonly [field: string, url: string | null | undefined]

/** Origins that may use the app, and the site's own URL. */
export type AllowedUrls = { origins: ReadonlySet<string>; siteUrl: URL }

/** Returns the URL of the site's change-plan screen, which first chooses a price. */
export function changePlanUrl(siteUrl: URL, priceId: string): string {
  return new URL(`/#/account/change-plan?${new URLSearchParams({ priceId })}`, siteUrl.origin).href
}

/** Returns the first requested URL, or else the dashboard. Throws `domain-not-permitted` outside the allowed origins. */
export function chooseReturnUrl(requested: readonly RequestedUrl[], allowed: AllowedUrls): string {
  const { origins, siteUrl } = allowed
  const [field, requestedUrl] = requested.find(([, one]) => one != null && one !== '') ?? ['', null]
  if (requestedUrl == null) return new URL('/#/account/dashboard', siteUrl.origin).href
  const url = URL.parse(requestedUrl)
  const isWeb = url?.protocol === 'https:' || url?.protocol === 'http:'
  const hasAllowedOrigin = url !== null && (url.origin === siteUrl.origin || origins.has(url.origin))
  if (!hasAllowedOrigin || !isWeb || url.username !== '' || url.password !== '')
    throw fail('domain-not-permitted', field)
  return url.href
}
