/** Returns whether the value is an object. */
export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** Returns the field's text, or '' when it has none. */
export function textOf(record: Record<string, unknown>, field: string): string {
  const value = record[field]
  return typeof value === 'string' ? value : ''
}

/** Parses JSON, or returns null when it is invalid. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}

type WireReply<Data> = { data: Data; _internalUseOnly?: { message?: string } }

/** Returns whether the value has the envelope of a reply. The contract guarantees its data. */
export function isReply<Data>(value: unknown): value is WireReply<Data> {
  return isRecord(value) && 'data' in value
}
