import { AppError } from '#platform/errors.ts'

/** A version as an ETag: `"3"`. */
export function formatVersion(version: number): string {
  return `"${version}"`
}

/** Reads an If-Match header; throws `version-required` (428) without one and 400 for anything but one version. */
export function parseIfMatch(header: string | undefined): number {
  if (header === undefined || header.trim() === '') {
    throw new AppError(
      'version-required',
      428,
      'Send If-Match with the ETag of the version you have read, such as If-Match: "3".',
    )
  }
  const version = /^\s*(?:W\/)?"?(\d{1,9})"?\s*$/.exec(header)?.[1]
  if (version === undefined) {
    throw new AppError('invalid-request', 400, 'If-Match takes one ETag of this API, such as "3".')
  }
  return Number(version)
}

/** Throws `version-conflict` unless the version that was read is still the current one. */
export function requireVersion(read: number, current: number): void {
  if (read === current) return
  throw new AppError(
    'version-conflict',
    409,
    `It has changed since you read it: you have version ${read}, the current one is ${current}. Read it again.`,
  )
}
