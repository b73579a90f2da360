import { fail } from './desk.errors.ts'

/** Formats a version as an ETag: `"3"`. */
export function formatVersion(version: number): string {
  return `"${version}"`
}

/** Parses an If-Match header. Throws `version-required` (428) without one, and 400 unless it is one version. */
export function parseIfMatch(header: string | undefined): number {
  if (header === undefined || header.trim() === '') throw fail('version-required')
  const version = /^\s*(?:W\/)?"?(\d{1,9})"?\s*$/.exec(header)?.[1]
  if (version === undefined)
    throw fail('invalid-request', 'If-Match takes one ETag of this API, such as "3".')
  return Number(version)
}

/** Throws `version-conflict` unless the version in If-Match is the current one, and `version-required` without one. */
export function requireVersion(read: number | null, current: number): void {
  if (read === null) throw fail('version-required')
  if (read !== current) throw fail('version-conflict', read, current)
}
