import { AppError } from './errors.ts'

const deepest = 40
// Names by which a careless reader of the object would reach its prototype.
const forbiddenKeys = new Set(['__proto__', 'constructor', 'prototype'])

/**
 * A caller's own JSON made fit to be kept: bounded in bytes and depth, without what Postgres cannot store or what
 * could reach a prototype. Throws `payload-too-large` or `invalid-request`, naming `what`.
 */
export function cleanJson(value: unknown, { what, maxBytes }: { what: string; maxBytes: number }): unknown {
  const cleaned = clean(value, what, 0)
  if (Buffer.byteLength(JSON.stringify(cleaned) ?? '') > maxBytes) {
    const most = maxBytes.toLocaleString('en-US')
    throw new AppError(
      'payload-too-large',
      413,
      `'${what}' has at most ${most} bytes of JSON. Please shorten it.`,
    )
  }
  return cleaned
}

/** As {@link cleanJson}, for what must be an object. */
export function cleanJsonObject(
  value: Readonly<Record<string, unknown>>,
  options: { what: string; maxBytes: number },
): Record<string, unknown> {
  return asObject(cleanJson(value, options))
}

function clean(value: unknown, what: string, depth: number): unknown {
  if (depth > deepest) {
    throw new AppError('invalid-request', 400, `'${what}' is nested too deeply. Please make it flatter.`)
  }
  if (typeof value === 'string') return cleanText(value)
  if (typeof value !== 'object' || value === null) return value
  if (Array.isArray(value)) return value.map((item) => clean(item, what, depth + 1))
  return Object.fromEntries(
    Object.entries(value)
      // Cleaned first: a key may turn into a forbidden one.
      .map(([key, item]) => [cleanText(key), item] as const)
      .filter(([key]) => !forbiddenKeys.has(key))
      .map(([key, item]) => [key, clean(item, what, depth + 1)]),
  )
}

/** A JSON object as it was kept; an empty one for anything else. */
export function asObject(json: unknown): Record<string, unknown> {
  return typeof json === 'object' && json !== null && !Array.isArray(json) ? { ...json } : {}
}

/** Postgres stores no NUL and no half of a surrogate pair. */
export function cleanText(text: string): string {
  return text.toWellFormed().replaceAll('\0', '')
}
