import { invalid } from '../protocol/errors.ts'
import { isWireObject, type WireObject } from '../protocol/wire-object.ts'
import type { Kind, Records } from '../store/records.ts'
import type { World } from '../store/store.ts'

/** What `expand` can put in place of ids, and in place of nothing. */
export type Expansions = {
  /** Objects by the beginning of their ids (`cus_`), or by the field that holds the id where ids are free (`coupon`). */
  objects: Record<string, (world: World, id: string) => WireObject | undefined>
  /** Parts that objects have only when asked for, by type and field: `customer.subscriptions`. */
  included: Record<string, (world: World, object: WireObject) => unknown>
}

/** Finds the objects of a kind, for `Expansions.objects`. */
export function objectsOf<Name extends Kind>(
  kind: Name,
  toWire: (world: World, record: Records[Name]) => WireObject,
): (world: World, id: string) => WireObject | undefined {
  return (world, id) => {
    const record = world.of(kind).find(id)
    return record && toWire(world, record)
  }
}

/** Several tables as one. */
export function joinExpansions(...tables: Expansions[]): Expansions {
  const joined: Expansions = { objects: {}, included: {} }
  for (const { objects, included } of tables) {
    Object.assign(joined.objects, objects)
    Object.assign(joined.included, included)
  }
  return joined
}

const deepest = 4

/**
 * The object with ids replaced by what they name, along paths such as `data.latest_invoice`. Throws when a path is
 * deeper than four steps, or leads to something that cannot be expanded.
 */
export function expand(
  world: World,
  object: WireObject,
  paths: readonly string[],
  expansions: Expansions,
): WireObject {
  return paths.reduce((expanded, path) => {
    const steps = path.split('.')
    const depth = steps[0] === 'data' ? steps.length - 1 : steps.length
    if (depth > deepest) {
      const message = `You cannot expand more than ${deepest} levels of a property (${path}).`
      throw invalid(message, { param: 'expand' })
    }
    return expandAlong(world, expanded, { steps, path, expansions })
  }, object)
}

type Way = { steps: readonly string[]; path: string; expansions: Expansions }

function expandAlong(world: World, object: WireObject, way: Way): WireObject {
  const [step, ...steps] = way.steps
  if (step === undefined) return object
  const value = valueAt(world, object, step, way)
  const further = (entry: unknown): unknown => {
    const whole = typeof entry === 'string' ? objectOf(world, step, entry, way.expansions) : entry
    if (whole === undefined) throw cannotExpand(way.path)
    return isWireObject(whole) ? expandAlong(world, whole, { ...way, steps }) : whole
  }
  return { ...object, [step]: Array.isArray(value) ? value.map(further) : further(value) }
}

function valueAt(world: World, object: WireObject, step: string, { path, expansions }: Way): unknown {
  if (step in object) return object[step]
  const include = expansions.included[`${object.object}.${step}`]
  if (!include) throw cannotExpand(path)
  return include(world, object)
}

function objectOf(world: World, field: string, id: string, { objects }: Expansions): WireObject | undefined {
  const prefix = id.slice(0, id.indexOf('_') + 1)
  return objects[field]?.(world, id) ?? objects[prefix]?.(world, id)
}

function cannotExpand(path: string) {
  return invalid(`This property cannot be expanded (${path}).`, { param: 'expand' })
}
