import type { FastifyRequest } from 'fastify'
import { parse } from 'range-parser'

/** The first and the last byte to send, both included; null when no byte of the range exists. */
export type ByteRange = { first: number; last: number } | null

/**
 * Returns the range that a request asks for; undefined to send everything: without a range, for several, for one that
 * can't be read, and for one of another version (RFC 9110, 13.1.5 and 14.2).
 */
export function chooseRange(
  { method, headers }: Pick<FastifyRequest, 'method' | 'headers'>,
  { tag, size }: { tag: string; size: number },
): ByteRange | undefined {
  const { range, 'if-range': ifRange } = headers
  if (method !== 'GET' || range === undefined) return undefined
  // A date never matches: responses have no Last-Modified.
  if (ifRange !== undefined && ifRange !== `"${tag}"`) return undefined
  const { code, type, ranges } = parse(size, range)
  if (type !== 'bytes' || (code & malformed) !== 0 || ranges.length > 1) return undefined
  const [only] = ranges
  return only === undefined ? null : { first: only.start, last: only.end }
}

/** The bit of the parser's code for a header that can't be read. */
const malformed = 1
