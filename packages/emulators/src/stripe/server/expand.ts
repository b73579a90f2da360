import type { Expansions } from '../endpoints/expansions.ts'
import { invalid } from '../protocol/errors.ts'
import { isWireObject, type WireObject } from '../protocol/wire-object.ts'
import type { Store } from '../store/store.ts'

const maxDepth = 4

/**
 * Returns an object with its ids expanded along paths such as `data.latest_invoice`. Throws for a path that is too
 * deep or can't be expanded.
 */
export function expand(
  store: Store,
  object: WireObject,
  paths: readonly string[],
  expansions: Expansions,
): WireObject {
  return paths.reduce((expanded, path) => {
    const steps = path.split('.')
    const depth = steps[0] === 'data' ? steps.length - 1 : steps.length
    if (depth > maxDepth) {
      const message = `You cannot expand more than ${maxDepth} levels of a property (${path}).`
      throw invalid(message, { param: 'expand' })
    }
    return expandAlong(store, expanded, { steps, path, expansions })
  }, object)
}

type Way = { steps: readonly string[]; path: string; expansions: Expansions }

function expandAlong(store: Store, object: WireObject, way: Way): WireObject {
  const [step, ...steps] = way.steps
  if (step === undefined) return object
  const value = valueAt(store, object, step, way)
  const further = (entry: unknown): unknown => {
    const whole = typeof entry === 'string' ? objectOf(store, step, entry, way.expansions) : entry
    if (whole === undefined) throw cannotExpand(way.path)
    return isWireObject(whole) ? expandAlong(store, whole, { ...way, steps }) : whole
  }
  return { ...object, [step]: Array.isArray(value) ? value.map(further) : further(value) }
}

function valueAt(store: Store, object: WireObject, step: string, { path, expansions }: Way): unknown {
  if (step in object) return object[step]
  const include = expansions.included[`${object.object}.${step}`]
  if (!include) throw cannotExpand(path)
  return include(store, object)
}

function objectOf(store: Store, field: string, id: string, { objects }: Expansions): WireObject | undefined {
  const prefix = id.slice(0, id.indexOf('_') + 1)
  return objects[field]?.(store, id) ?? objects[prefix]?.(store, id)
}

function cannotExpand(path: string) {
  return invalid(`This property cannot be expanded (${path}).`, { param: 'expand' })
}
