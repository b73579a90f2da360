import type { z } from 'zod'
import type { WireObject } from './wire-object.ts'

type ApiErrorType = 'api_error' | 'card_error' | 'idempotency_error' | 'invalid_request_error'

type Details = {
  code?: string
  param?: string
  status?: number
  /** Further fields of the error, such as `decline_code` or the payment intent that it is about. */
  extras?: WireObject
  /** False when nothing had begun or nothing is left, so that an idempotency key remembers nothing of it. */
  isBegun?: boolean
}

/** A refusal in Stripe's own form. */
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

  /** The body of the answer. */
  toWire(): WireObject {
    const { type, code, param, message, extras } = this
    const documented = code ? { code, doc_url: `https://stripe.com/docs/error-codes/${dashed(code)}` } : {}
    return { error: { ...documented, ...extras, message, ...(param ? { param } : {}), type } }
  }
}

function dashed(code: string) {
  return code.replaceAll('_', '-')
}

/** A request that cannot be done as it was asked for. */
export function invalid(message: string, details: Details = {}): ApiError {
  return new ApiError('invalid_request_error', message, details)
}

/** There is no such object; `thing` as Stripe calls it, like `customer`; `param` held the id. */
export function resourceMissing(thing: string, id: string, param = 'id'): ApiError {
  // A path names the object of the call; a parameter only refers to it.
  const status = param === 'id' ? 404 : 400
  return invalid(`No such ${thing}: '${id}'`, { code: 'resource_missing', param, status })
}

/** A card that was refused: 402. */
export function cardError(code: string, message: string, details: Omit<Details, 'code'> = {}): ApiError {
  return new ApiError('card_error', message, { status: 402, ...details, code })
}

/** What `run` answers, or the refusal that it ends in. What is no refusal is thrown on. */
export function orApiError<Result>(run: () => Result): Result | ApiError {
  try {
    return run()
  } catch (error) {
    if (error instanceof ApiError) return error
    throw error
  }
}

/** Is told of every failure of the stand-in itself: of what it neither refuses nor was asked wrongly. */
export type OnFailure = (error: unknown) => void

/** Whatever was thrown, as an answer: a refusal as it is, and a failure of the stand-in's own as `api_error`, told of. */
export function apiErrorOf(error: unknown, onFailure: OnFailure): ApiError {
  if (error instanceof ApiError) return error
  const message = error instanceof Error ? error.message : String(error)
  const status = error instanceof Error && 'statusCode' in error ? Number(error.statusCode) : 500
  if (status < 500) return invalid(message, { status, isBegun: false })
  onFailure(error)
  // Nothing of the call is left, so the same call may be tried again.
  return new ApiError('api_error', `The stand-in failed: ${message}`, { status: 500, isBegun: false })
}

/** What parsing found wrong, as Stripe says it: the first problem, and unknown parameters before all others. */
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

/** Of the ways to read a parameter, the last one is the full one; those before it are words like the empty text. */
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

/** A path as forms spell it: `items[0][price]`. */
function paramOf(path: readonly PropertyKey[]): string {
  const [first = '', ...rest] = path.map(String)
  return first + rest.map((part) => `[${part}]`).join('')
}
