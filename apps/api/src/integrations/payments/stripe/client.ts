import Stripe from 'stripe'

/** As many as Stripe answers at once. */
export const pageSize = 100
/** More than any list of one kind has. */
export const mostListed = 10_000

/** Whether prices exclude or include the tax that Stripe collects; null when it collects none. */
export type Tax = 'exclusive' | 'inclusive' | null

export type StripeSettings = {
  secretKey: string
  /** Where Stripe's API is asked instead of at Stripe; its path is not looked at. */
  apiUrl: URL | null
  /** How long an answer may take, in milliseconds. */
  timeoutMs?: number | undefined
  /** How often a call is made anew that was not answered; twice when left out. */
  retries?: number | undefined
}

/** Stripe's SDK with its own version of the API. It tries again by itself, with the same idempotency key. */
export function createStripeClient({
  secretKey,
  apiUrl,
  timeoutMs = 8_000,
  retries = 2,
}: StripeSettings): Stripe {
  return new Stripe(secretKey, {
    telemetry: false,
    timeout: timeoutMs,
    maxNetworkRetries: retries,
    ...(apiUrl ? addressOf(apiUrl) : {}),
  })
}

/** Whether a key, secret or restricted, is one of test mode, where no money moves. */
export function isTestKey(secretKey: string): boolean {
  return /^[a-z]+_test_/.test(secretKey)
}

function addressOf({ protocol, hostname, port }: URL) {
  const isPlain = protocol === 'http:'
  return {
    // An IPv6 address stands in brackets in a URL only.
    host: hostname.replace(/^\[|\]$/g, ''),
    port: port === '' ? (isPlain ? 80 : 443) : Number(port),
    protocol: isPlain ? ('http' as const) : ('https' as const),
  }
}

/** The id of what Stripe names, or answers whole when asked to. */
export function idOf(reference: string | { id: string }): string {
  return typeof reference === 'string' ? reference : reference.id
}

/** An instant as Stripe counts it: whole seconds since 1970. */
export function secondsOf(instant: Date): number {
  return Math.floor(instant.getTime() / 1000)
}

export function instantOf(seconds: number): Date {
  return new Date(seconds * 1000)
}
