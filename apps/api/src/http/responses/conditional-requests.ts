import type { FastifyRequest } from 'fastify'

/** The version of a response. `tag` is the entity tag without its encoding. */
type Version = { tag: string; lastModified?: string | undefined }

/** Returns whether the requester has this version: by its tag or, without one, its date (RFC 9110, 13.2.2). */
export function isNotModified(
  { method, headers }: Pick<FastifyRequest, 'method' | 'headers'>,
  { tag, lastModified }: Version,
): boolean {
  if (method !== 'GET' && method !== 'HEAD') return false
  const ifNoneMatch = headers['if-none-match']
  if (ifNoneMatch !== undefined) return matchesTag(ifNoneMatch, tag)
  const since = parseHttpDate(headers['if-modified-since'])
  const modified = parseHttpDate(lastModified)
  return since !== null && modified !== null && modified <= since
}

/** Compares If-None-Match weakly with a tag, in any encoding (RFC 9110, 13.1.2). */
export function matchesTag(ifNoneMatch: string, tag: string): boolean {
  if (ifNoneMatch.trim() === '*') return true
  const tags = Array.from(ifNoneMatch.matchAll(/"([^"]*)"/g), ([, name]) => name)
  return tags.some((name) => name === tag || name === `${tag}-br` || name === `${tag}-gzip`)
}

// The three forms that recipients must accept (RFC 9110, 5.6.7). `Date.parse` takes much more than these.
const httpDates = [
  /^[A-Z][a-z]{2}, \d{2} [A-Z][a-z]{2} \d{4} \d{2}:\d{2}:\d{2} GMT$/,
  /^[A-Z][a-z]{5,8}, \d{2}-[A-Z][a-z]{2}-\d{2} \d{2}:\d{2}:\d{2} GMT$/,
  /^[A-Z][a-z]{2} [A-Z][a-z]{2} [ \d]\d \d{2}:\d{2}:\d{2} \d{4}$/,
]

/** Returns the milliseconds of an HTTP date; null for anything else. */
export function parseHttpDate(text: string | undefined): number | null {
  const date = text?.trim() ?? ''
  if (!httpDates.some((form) => form.test(date))) return null
  const ms = Date.parse(date.endsWith('GMT') ? date : `${date} GMT`)
  return Number.isNaN(ms) ? null : ms
}
