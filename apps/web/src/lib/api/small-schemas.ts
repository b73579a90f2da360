// In the site, this replaces `zod/mini`, which would be 7 kB of a first visit. It has what the page's
// schemas use, and its test compares it with zod. See ADR 0077.

type Reader = (value: unknown, path: string) => unknown
type Shape = Record<string, Schema>
type Result = { success: true; data: unknown } | { success: false; data?: undefined; error: SchemaError }

/** Parses unknown data: returns what the schema names of it, or says where it differs. */
export type Schema = {
  read: Reader
  shape: Shape
  /** Whether an object may lack it. */
  isOptional: boolean
  safeParse(value: unknown): Result
  parse(value: unknown): unknown
  /** Takes descriptions, which only the API's reference shows. */
  check(...checks: readonly unknown[]): Schema
}

/** The data doesn't match the schema. The message names the place. */
class SchemaError extends Error {
  override readonly name = 'SchemaError'
}

const noMore: Partial<Pick<Schema, 'shape' | 'isOptional'>> = {}

function createSchema(read: Reader, { shape = {}, isOptional = false } = noMore): Schema {
  return {
    read,
    shape,
    isOptional,
    parse: (value) => read(value, ''),
    safeParse(value) {
      try {
        return { success: true, data: read(value, '') }
      } catch (error) {
        if (!(error instanceof SchemaError)) throw error
        return { success: false, error }
      }
    },
    check() {
      return this
    },
  }
}

/** Creates a schema of values that are returned as they are. */
function valuesThat(name: string, matches: (value: unknown) => boolean): Schema {
  return createSchema((value, path) => (matches(value) ? value : reject(path, name)))
}

function reject(path: string, expected: string): never {
  throw new SchemaError(`${path === '' ? 'value' : path.slice(1)}: expected ${expected}`)
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

const uuidPattern = /^[\da-f]{8}-[\da-f]{4}-[1-8][\da-f]{3}-[89ab][\da-f]{3}-[\da-f]{12}$/i

// The annotations let the build leave out schemas that a page doesn't use.

/* @__NO_SIDE_EFFECTS__ */
export function string(_message?: string): Schema {
  return valuesThat('a text', (value) => typeof value === 'string')
}

/* @__NO_SIDE_EFFECTS__ */
export function uuid(_message?: string): Schema {
  return valuesThat('a UUID', (value) => typeof value === 'string' && uuidPattern.test(value))
}

/* @__NO_SIDE_EFFECTS__ */
export function number(): Schema {
  return valuesThat('a number', Number.isFinite)
}

/* @__NO_SIDE_EFFECTS__ */
export function int(): Schema {
  return valuesThat('a whole number', Number.isSafeInteger)
}

/* @__NO_SIDE_EFFECTS__ */
export function boolean(_message?: string): Schema {
  return valuesThat('true or false', (value) => typeof value === 'boolean')
}

/* @__NO_SIDE_EFFECTS__ */
export function literal(only: string): Schema {
  return valuesThat(`"${only}"`, (value) => value === only)
}

/* @__NO_SIDE_EFFECTS__ */
function oneOf(values: readonly string[]): Schema {
  return valuesThat(
    `one of ${values.join(', ')}`,
    (value) => typeof value === 'string' && values.includes(value),
  )
}

export { oneOf as enum }

/* @__NO_SIDE_EFFECTS__ */
export function optional(inner: Schema): Schema {
  return createSchema(
    (value, path) => (value === undefined ? inner.safeParse(undefined).data : inner.read(value, path)),
    { isOptional: true },
  )
}

/* @__NO_SIDE_EFFECTS__ */
export function nullable(inner: Schema): Schema {
  const { isOptional } = inner
  return createSchema((value, path) => (value === null ? null : inner.read(value, path)), { isOptional })
}

/* @__NO_SIDE_EFFECTS__ */
export function _default(inner: Schema, without: unknown): Schema {
  return createSchema((value, path) => (value === undefined ? without : inner.read(value, path)), {
    isOptional: true,
  })
}

/* @__NO_SIDE_EFFECTS__ */
export function array(item: Schema): Schema {
  return createSchema((value, path) => {
    if (!Array.isArray(value)) reject(path, 'a list')
    return Array.from(value, (entry: unknown, index) => item.read(entry, `${path}.${index}`))
  })
}

/* @__NO_SIDE_EFFECTS__ */
export function record(_keys: Schema, values: Schema): Schema {
  return createSchema((value, path) => {
    if (!isRecord(value)) reject(path, 'an object')
    return Object.fromEntries(
      Object.entries(value).map(([key, entry]) => [key, values.read(entry, `${path}.${key}`)]),
    )
  })
}

/* @__NO_SIDE_EFFECTS__ */
export function object(shape: Shape): Schema {
  function read(value: unknown, path: string) {
    if (!isRecord(value)) reject(path, 'an object')
    const known: Record<string, unknown> = {}
    for (const [key, schema] of Object.entries(shape)) {
      if (!(key in value) && !schema.isOptional) reject(`${path}.${key}`, 'something')
      const entry = schema.read(value[key], `${path}.${key}`)
      if (entry !== undefined || key in value) known[key] = entry
    }
    return known
  }
  return createSchema(read, { shape })
}

/* @__NO_SIDE_EFFECTS__ */
export function extend(base: Schema, shape: Shape): Schema {
  return object({ ...base.shape, ...shape })
}

/* @__NO_SIDE_EFFECTS__ */
export function discriminatedUnion(key: string, options: readonly Schema[]): Schema {
  return createSchema((value, path) => {
    const tag = isRecord(value) ? value[key] : undefined
    const option = options.find(({ shape }) => shape[key]?.safeParse(tag).success)
    return option === undefined ? reject(`${path}.${key}`, 'a known kind') : option.read(value, path)
  })
}

/* @__NO_SIDE_EFFECTS__ */
export function describe(_text: string): null {
  return null
}
