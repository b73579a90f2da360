import { z } from 'zod'

// Parameters arrive as strings. The error messages and codes are Stripe's.

/** Thrown by a reader. `{param}` in the message stands for the parameter's name. */
class Unreadable extends Error {
  readonly code: string | undefined

  constructor(message: string, code?: string) {
    super(message)
    this.code = code
  }
}

/** Reads a string that must not be empty. `read` throws `Unreadable`. */
function reader<Value>(read: (text: string) => Value) {
  return z.string().transform((text, context): Value => {
    try {
      if (text === '') throw new Unreadable(emptyMessage, 'parameter_invalid_empty')
      return read(text)
    } catch (error) {
      if (!(error instanceof Unreadable)) throw error
      const { message, code } = error
      context.addIssue({ code: 'custom', message, ...(code ? { params: { code } } : {}) })
      return z.NEVER
    }
  })
}

const emptyMessage =
  "You passed an empty string for '{param}'. We assume empty values are an attempt to unset a parameter; however '{param}' cannot be unset. You should remove '{param}' from your request or supply a non-empty value."

export const text = reader((value) => {
  if (value.length <= 5_000) return value
  throw new Unreadable('Invalid string: must be at most 5000 characters')
})

export const boolean = reader((value) => {
  if (value === 'true' || value === 'false') return value === 'true'
  throw new Unreadable(`Invalid boolean: ${value}`)
})

function integerOf(value: string): number {
  const number = Number(value)
  if (/^-?\d+$/.test(value) && Number.isSafeInteger(number)) return number
  throw new Unreadable(`Invalid integer: ${value}`, 'parameter_invalid_integer')
}

export const integer = reader(integerOf)

/** Reads an integer from `min` to `max`. */
export function integerBetween(min: number, max = 99_999_999) {
  return reader((value) => {
    const number = integerOf(value)
    if (number < min) throw new Unreadable(`This value must be greater than or equal to ${min}.`, integerCode)
    if (number > max) throw new Unreadable(`This value must be less than or equal to ${max}.`, integerCode)
    return number
  })
}

const integerCode = 'parameter_invalid_integer'

export const decimal = reader((value) => {
  if (/^-?\d+(\.\d{1,12})?$/.test(value)) return Number(value)
  throw new Unreadable(`Invalid decimal: ${value}`)
})

/** Seconds since 1970. */
export const timestamp = reader((value) => {
  if (/^\d{1,11}$/.test(value)) return Number(value)
  throw new Unreadable(`Invalid timestamp: ${value}`, integerCode)
})

export const currency = reader((value) => {
  if (/^[a-z]{3}$/i.test(value)) return value.toLowerCase()
  throw new Unreadable(`Invalid currency: ${value}. Stripe expects three-letter ISO codes.`)
})

export const url = reader((value) => {
  const parsed = URL.parse(value)
  if (parsed && ['http:', 'https:'].includes(parsed.protocol) && parsed.hostname) return value
  throw new Unreadable('Not a valid URL', 'url_invalid')
})

export const email = reader((value) => {
  if (value.length <= 512 && /^[^\s@]+@[^\s@]+$/.test(value)) return value
  throw new Unreadable(`Invalid email address: ${value}`, 'email_invalid')
})

/** Reads one of these words. */
export function choice<const Word extends string>(...words: Word[]) {
  return reader((value): Word => {
    const word = words.find((one) => one === value)
    if (word !== undefined) return word
    const last = words.at(-1) ?? ''
    const listed = words.length > 2 ? `${words.slice(0, -1).join(', ')}, or ${last}` : words.join(' or ')
    throw new Unreadable(
      words.length === 1 ? `Invalid {param}: must be ${last}` : `Invalid {param}: must be one of ${listed}`,
    )
  })
}

/** Reads `schema`, or null from the empty string, which unsets. */
export function emptyable<Schema extends z.ZodType>(schema: Schema) {
  return z.union([z.literal('').transform(() => null), schema])
}

/** Reads a list. A form with other indexes than 0, 1, 2 arrives as an object. */
export function list<Schema extends z.ZodType>(schema: Schema) {
  return z.preprocess((value) => (isNumbered(value) ? Object.values(value) : value), z.array(schema))
}

function isNumbered(value: unknown): value is Record<string, unknown> {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return false
  return Object.keys(value).every((key) => /^\d+$/.test(key))
}

/** An object of these parameters and no others. */
export const object = z.strictObject

/** Returns a parameter's value, null included, or `before` when it is omitted. */
export function given<Value>(value: Value | undefined, before: Value): Value {
  return value === undefined ? before : value
}

const metadataValue = z.string().max(500, 'Metadata values can have up to 500 characters.')
const metadataKey = z.string().min(1).max(40, 'Metadata keys can have up to 40 characters.')

/** Null unsets all metadata; an empty value unsets its key. */
export const metadata = emptyable(z.record(metadataKey, metadataValue))

export function newMetadata(given: Metadata | null | undefined): Metadata {
  return changeMetadata({}, given)
}

/** Returns the metadata after a change. Omitted keys stay. */
export function changeMetadata(current: Metadata, change: Metadata | null | undefined): Metadata {
  if (change === undefined) return current
  if (change === null) return {}
  return Object.fromEntries(Object.entries({ ...current, ...change }).filter(([, value]) => value !== ''))
}

export type Metadata = Record<string, string>
