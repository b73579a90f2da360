import Stripe from 'stripe'
import { translateErrors } from './errors.ts'

/** The most that Stripe returns in one page. */
export const pageSize = 100
const maxListed = 10_000
/** More retries than any call gets within a day. */
const maxAttempts = 20

/** Whether prices exclude or include the tax that Stripe collects; null when it collects none. */
export type Tax = 'exclusive' | 'inclusive' | null

export type StripeSettings = {
  secretKey: string
  /** Origin that replaces Stripe's API, such as the emulator's. Its path is ignored. */
  apiUrl: URL | null
  timeoutMs?: number | undefined
  /** Retries of a failed call; twice by default. */
  retries?: number | undefined
}

/** Creates a client of Stripe's SDK, which retries with the same idempotency key. */
export function createStripeClient(settings: StripeSettings): Stripe {
  const { secretKey, apiUrl, timeoutMs = 8_000, retries = 2 } = settings
  return new Stripe(secretKey, {
    telemetry: false,
    timeout: timeoutMs,
    maxNetworkRetries: retries,
    ...(apiUrl ? addressOf(apiUrl) : {}),
  })
}

/** Returns whether a secret or restricted key belongs to test mode, where no money moves. */
export function isTestKey(secretKey: string): boolean {
  return /^[a-z]+_test_/.test(secretKey)
}

function addressOf({ protocol, hostname, port }: URL) {
  const isPlain = protocol === 'http:'
  return {
    // Only a URL has an IPv6 address in brackets.
    host: hostname.replace(/^\[|\]$/g, ''),
    port: port === '' ? (isPlain ? 80 : 443) : Number(port),
    protocol: isPlain ? ('http' as const) : ('https' as const),
  }
}

/**
 * Makes a call that Stripe performs once per key. For a day Stripe replays the first response to a key; the key of the
 * next attempt is used when the replayed response is an error.
 */
export async function callOnce<T>(
  key: string,
  call: (options: { idempotencyKey: string }) => Promise<T>,
): Promise<T> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await call({ idempotencyKey: `${key}-${attempt}` })
    } catch (error) {
      const headers = error instanceof Stripe.errors.StripeError ? error.headers : undefined
      if (attempt === maxAttempts || !isReplayed(headers)) throw error
    }
  }
}

function isReplayed(headers: Record<string, string> | undefined): boolean {
  return headers?.['idempotent-replayed'] === 'true'
}

/** Returns every object of a list. */
export async function listAll<T>(list: Stripe.ApiListPromise<T>): Promise<T[]> {
  return await list.autoPagingToArray({ limit: maxListed })
}

/** Yields a list page by page. */
export async function* listPages<T extends { id: string }>(
  list: (page: { limit: number; starting_after?: string }) => Promise<Stripe.ApiList<T>>,
): AsyncGenerator<T[]> {
  let after: string | undefined
  do {
    const page = { limit: pageSize, ...(after === undefined ? {} : { starting_after: after }) }
    const { data, has_more: hasMore } = await translateErrors(() => list(page))
    yield data
    after = hasMore ? data.at(-1)?.id : undefined
  } while (after !== undefined)
}

/** Returns the id of an object, expanded or not. */
export function idOf(reference: string | { id: string }): string {
  return typeof reference === 'string' ? reference : reference.id
}

export function secondsOf(instant: Date): number {
  return Math.floor(instant.getTime() / 1000)
}

export function instantOf(seconds: number): Date {
  return new Date(seconds * 1000)
}
