import { isDeepStrictEqual } from 'node:util'

/** An object as it goes over the wire. */
export type WireObject = Record<string, unknown>

/** Whether a value is an object, and neither null nor a list. */
export function isWireObject(value: unknown): value is WireObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** What a change replaced: the former values of the fields that differ, as `data.previous_attributes` tells them. */
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
