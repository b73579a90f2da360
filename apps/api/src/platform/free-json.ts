import { AppError } from './errors.ts'

const deepest = 40
// These keys reach the prototype of an object.
const forbiddenKeys = new Set(['__proto__', 'constructor', 'prototype'])

/** Cleans a caller's JSON for storage. Throws `payload-too-large` or `invalid-request`, naming `what`. */
export function cleanJson(value: unknown, { what, maxBytes }: { what: string; maxBytes: number }): unknown {
  const cleaned = clean(value, what, 0)
  if (Buffer.byteLength(JSON.stringify(cleaned) ?? '') > maxBytes) {
    const max = maxBytes.toLocaleString('en-US')
    throw new AppError('payload-too-large', 413, `'${what}' can have at most ${max} bytes of JSON.`)
  }
  return cleaned
}

/** Cleans an object as {@link cleanJson} does. */
export function cleanJsonObject(
  value: Readonly<Record<string, unknown>>,
  options: { what: string; maxBytes: number },
): Record<string, unknown> {
  return asObject(cleanJson(value, options))
}

function clean(value: unknown, what: string, depth: number): unknown {
  if (depth > deepest) {
    throw new AppError('invalid-request', 400, `'${what}' is nested too deeply.`)
  }
  if (typeof value === 'string') return cleanText(value)
  if (typeof value !== 'object' || value === null) return value
  if (Array.isArray(value)) return value.map((item) => clean(item, what, depth + 1))
  return Object.fromEntries(
    Object.entries(value)
      // Clean keys first: cleaning may produce a forbidden one.
      .map(([key, item]) => [cleanText(key), item] as const)
      .filter(([key]) => !forbiddenKeys.has(key))
      .map(([key, item]) => [key, clean(item, what, depth + 1)]),
  )
}

/** Returns a stored JSON object; an empty one for anything else. */
export function asObject(json: unknown): Record<string, unknown> {
  return typeof json === 'object' && json !== null && !Array.isArray(json) ? { ...json } : {}
}

/** Removes NUL and lone surrogates, which Postgres can't store. */
export function cleanText(text: string): string {
  return text.toWellFormed().replaceAll('\0', '')
}
