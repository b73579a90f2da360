import { isDeepStrictEqual } from 'node:util'

export type WireObject = Record<string, unknown>

export function isWireObject(value: unknown): value is WireObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** Returns the former values of changed fields, as in `data.previous_attributes`. */
export function changesBetween(before: WireObject, after: WireObject): WireObject {
  const former: WireObject = {}
  for (const [field, value] of Object.entries(before)) {
    const now = after[field]
    if (isDeepStrictEqual(value, now)) continue
    const within = isWireObject(value) && isWireObject(now) && value.object === undefined
    former[field] = within ? changesBetween(value, now) : value
  }
  for (const field of Object.keys(after)) if (!(field in before)) former[field] = null
  return former
}
