/** Returns a text of the address, or undefined without one. */
export function textParam(value: unknown): string | undefined {
  // The router reads `?q=2026` as a number.
  const text = typeof value === 'number' ? String(value) : value
  return typeof text === 'string' && text.trim() !== '' ? text : undefined
}

/** Returns a day of the address, such as `2026-11-28`. */
export function dayParam(value: unknown): string | undefined {
  const text = textParam(value)
  return text !== undefined && /^20\d\d-\d\d-\d\d$/.test(text) ? text : undefined
}

/** Returns the id of a row in the address. */
export function idParam(value: unknown): string | undefined {
  const text = textParam(value)
  return text !== undefined && /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/i.test(text) ? text : undefined
}
