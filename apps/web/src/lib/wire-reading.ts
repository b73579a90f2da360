/** Reads what came over the wire without a schema library: each function gives null or a default, never throws. */

/** Whether the value is an object whose fields can be looked at. */
export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** The field's text, or '' when it is missing or something else. */
export function textOf(record: Record<string, unknown>, field: string): string {
  const value = record[field]
  return typeof value === 'string' ? value : ''
}

/** The value of a JSON text, or null when it is none. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}

/** Reads every item of an array, leaving out those that `read` refuses; null when it is no array. */
export function listOf<T>(value: unknown, read: (item: unknown) => T | null): T[] | null {
  if (!Array.isArray(value)) return null
  return value.map(read).filter((item) => item !== null)
}
