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

/** A reply on the wire, as far as it can be told without a schema library. */
type WireReply<Data> = { data: Data; _internalUseOnly?: { message?: string } }

/** Whether the value has the envelope of a reply; what lies in it is the contract's promise. */
export function isReply<Data>(value: unknown): value is WireReply<Data> {
  return isRecord(value) && 'data' in value
}
