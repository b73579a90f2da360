import type { z } from 'zod'
import type { WireObject } from './wire-object.ts'

type ApiErrorType = 'api_error' | 'card_error' | 'idempotency_error' | 'invalid_request_error'

type Details = {
  code?: string
  param?: string
  status?: number
  /** Further fields, such as `decline_code`. */
  extras?: WireObject
  /** False when nothing was changed, so that the idempotency key is not stored. */
  isBegun?: boolean
}

/** An error in Stripe's format. */
export class ApiError extends Error {
  readonly type: ApiErrorType
  readonly code: string | undefined
  readonly param: string | undefined
  readonly status: number
  readonly extras: WireObject
  readonly isBegun: boolean

  constructor(type: ApiErrorType, message: string, details: Details = {}) {
    const { code, param, status = 400, extras = {}, isBegun = true } = details
    super(message)
    this.name = 'ApiError'
    this.type = type
    this.code = code
    this.param = param
    this.status = status
    this.extras = extras
    this.isBegun = isBegun
  }

  /** Returns the response body. */
  toWire(): WireObject {
    const { type, code, param, message, extras } = this
    const documented = code ? { code, doc_url: `https://stripe.com/docs/error-codes/${dashed(code)}` } : {}
    return { error: { ...documented, ...extras, message, ...(param ? { param } : {}), type } }
  }
}

function dashed(code: string) {
  return code.replaceAll('_', '-')
}

/** Returns an `invalid_request_error`. */
export function invalid(message: string, details: Details = {}): ApiError {
  return new ApiError('invalid_request_error', message, details)
}

/** Returns `No such …`. `thing` is Stripe's name of the object; `param` held the id. */
export function resourceMissing(thing: string, id: string, param = 'id'): ApiError {
  // The id of the path gets 404; the id in a parameter gets 400.
  const status = param === 'id' ? 404 : 400
  return invalid(`No such ${thing}: '${id}'`, { code: 'resource_missing', param, status })
}

/** Returns a `card_error` with status 402. */
export function cardError(code: string, message: string, details: Omit<Details, 'code'> = {}): ApiError {
  return new ApiError('card_error', message, { status: 402, ...details, code })
}

/** Returns the result of `run` or the `ApiError` that it throws. Rethrows other errors. */
export function orApiError<Result>(run: () => Result): Result | ApiError {
  try {
    return run()
  } catch (error) {
    if (error instanceof ApiError) return error
    throw error
  }
}

/** Receives every unexpected error of the emulator. */
export type OnFailure = (error: unknown) => void

/** Returns an error in Stripe's format. Reports an unexpected one and returns it as `api_error`. */
export function apiErrorOf(error: unknown, onFailure: OnFailure): ApiError {
  if (error instanceof ApiError) return error
  const message = error instanceof Error ? error.message : String(error)
  const status = error instanceof Error && 'statusCode' in error ? Number(error.statusCode) : 500
  if (status < 500) return invalid(message, { status, isBegun: false })
  onFailure(error)
  // The transaction was undone, so the same key may try again.
  return new ApiError('api_error', `The emulator failed: ${message}`, { status: 500, isBegun: false })
}

/** Returns the parse error as Stripe words it: unknown parameters first, then the first problem. */
export function apiErrorOfIssues(issues: readonly z.core.$ZodIssue[]): ApiError {
  const flat = issues.flatMap(withinUnions)
  const issue = flat.find(({ code }) => code === 'unrecognized_keys') ?? flat[0]
  if (issue?.code === 'unrecognized_keys') return unknownParameters(issue)
  const param = paramOf(issue?.path ?? [])
  const { message, code } = problemOf(issue, param)
  return invalid(message, { param, isBegun: false, ...(code ? { code } : {}) })
}

function problemOf(issue: z.core.$ZodIssue | undefined, param: string): { message: string; code?: string } {
  if (issue?.code === 'custom') {
    const code: unknown = issue.params?.code
    const message = issue.message.replaceAll('{param}', param)
    return { message, ...(typeof code === 'string' ? { code } : {}) }
  }
  if (issue?.input === undefined) {
    return { message: `Missing required param: ${param}.`, code: 'parameter_missing' }
  }
  if (issue.code !== 'invalid_type') return { message: `Invalid ${param}: ${issue.message}` }
  return { message: `Invalid ${issue.expected === 'record' ? 'object' : issue.expected}` }
}

/** The last option of a union is the full one; those before it are words such as the empty string. */
function withinUnions(issue: z.core.$ZodIssue): z.core.$ZodIssue[] {
  if (issue.code !== 'invalid_union') return [issue]
  const inner = issue.errors.at(-1) ?? []
  return inner.map((one) => ({ ...one, path: [...issue.path, ...one.path] })).flatMap(withinUnions)
}

function unknownParameters({ path, keys }: z.core.$ZodIssueUnrecognizedKeys) {
  const names = keys.map((key) => paramOf([...path, key]))
  const [param = ''] = names
  const noun = names.length === 1 ? 'parameter' : 'parameters'
  const details = { code: 'parameter_unknown', param, isBegun: false }
  return invalid(`Received unknown ${noun}: ${names.join(', ')}`, details)
}

/** Formats a path as in forms: `items[0][price]`. */
function paramOf(path: readonly PropertyKey[]): string {
  const [first = '', ...rest] = path.map(String)
  return first + rest.map((part) => `[${part}]`).join('')
}
