import { AuthorizationResponseError, ResponseBodyError, WWWAuthenticateChallengeError } from 'openid-client'
import { type IdentityRefusal, IdentityRefusedError, IdentityUnavailableError } from './identity-provider.ts'

type IdentityFailure = IdentityRefusedError | IdentityUnavailableError

const cancelledCodes = ['access_denied', 'user_cancelled_authorize']
const outageCodes = ['server_error', 'temporarily_unavailable']
const wrongCodeCodes = ['invalid_grant', 'bad_verification_code']
const misconfiguredCodes = [
  'invalid_client',
  'unauthorized_client',
  'unsupported_grant_type',
  'invalid_scope',
  'incorrect_client_credentials',
  'redirect_uri_mismatch',
]
const misconfiguredChecks = [
  'OAUTH_HTTP_REQUEST_FORBIDDEN',
  'OAUTH_REQUEST_PROTOCOL_FORBIDDEN',
  'OAUTH_MISSING_SERVER_METADATA',
  'OAUTH_INVALID_SERVER_METADATA',
]
const formatChecks = [
  'OAUTH_PARSE_ERROR',
  'OAUTH_RESPONSE_IS_NOT_JSON',
  'OAUTH_JSON_ATTRIBUTE_COMPARISON_FAILED',
]

/**
 * Runs requests to a provider and translates the library's errors. `refusal` is the reason of a failed check, or null
 * before a sign-in, where it means that our settings are wrong.
 */
export async function withIdentityErrors<T>(
  provider: string,
  refusal: IdentityRefusal | null,
  request: () => Promise<T>,
): Promise<T> {
  return await request().catch((error: unknown) => {
    throw toIdentityError(provider, refusal, error)
  })
}

function toIdentityError(provider: string, refusal: IdentityRefusal | null, error: unknown): unknown {
  if (error instanceof AuthorizationResponseError) return ofCallback(provider, error.error)
  if (error instanceof ResponseBodyError) return ofTokenEndpoint(provider, error)
  if (error instanceof WWWAuthenticateChallengeError) {
    return new IdentityUnavailableError(provider, 'misconfigured', `status ${error.status}`)
  }
  const causes = [...causesOf(error)]
  const ours = causes.find((cause) => cause instanceof IdentityUnavailableError)
  if (ours) return ours
  if (causes.some((cause) => cause instanceof Error && cause.name === 'TimeoutError')) {
    return new IdentityUnavailableError(provider, 'timeout')
  }
  if (causes.some(isBrokenConnection)) {
    const systemCode = findText(causes, 'code', /^E[A-Z_]{1,30}$/)
    return new IdentityUnavailableError(provider, 'unreachable', systemCode ?? 'no connection')
  }
  const code = findText([error], 'code', /^OAUTH_/)
  if (code === undefined) return error
  const reply = causes.find((cause) => cause instanceof Response)
  if (reply && (refusal || reply.status >= 500)) {
    return new IdentityUnavailableError(provider, 'provider-error', `status ${reply.status}`)
  }
  const claim = findText(causes, 'claim', /^/)
  const detail = claim === undefined ? toDetail(code) : `${toDetail(code)} ${toDetail(claim)}`
  if (!refusal || misconfiguredChecks.includes(code)) {
    return new IdentityUnavailableError(provider, 'misconfigured', detail)
  }
  return new IdentityRefusedError(
    provider,
    formatChecks.includes(code) ? 'malformed-response' : refusal,
    detail,
  )
}

function ofCallback(provider: string, code: string): IdentityFailure {
  if (cancelledCodes.includes(code)) return new IdentityRefusedError(provider, 'cancelled')
  const detail = toDetail(code)
  return outageCodes.includes(code)
    ? new IdentityUnavailableError(provider, 'provider-error', detail)
    : new IdentityRefusedError(provider, 'refused', detail)
}

function ofTokenEndpoint(provider: string, { status, error }: ResponseBodyError): IdentityFailure {
  const detail = toDetail(error)
  if (wrongCodeCodes.includes(error)) return new IdentityRefusedError(provider, 'wrong-code', detail)
  if (misconfiguredCodes.includes(error)) {
    return new IdentityUnavailableError(provider, 'misconfigured', detail)
  }
  if (status === 429) return new IdentityUnavailableError(provider, 'provider-error', `status ${status}`)
  return new IdentityRefusedError(provider, 'refused', detail)
}

/** Returns whether `fetch` couldn't connect or was cut off, which it reports as a TypeError without a code. */
function isBrokenConnection(cause: unknown): boolean {
  return cause instanceof TypeError && /^(?:fetch failed|terminated)$/.test(cause.message)
}

function* causesOf(error: unknown): Generator<unknown> {
  for (let cause = error; cause !== undefined && cause !== null; ) {
    yield cause
    cause = cause instanceof Error ? cause.cause : undefined
  }
}

/** Returns the first text in this property of the errors that matches the pattern. */
function findText(errors: unknown[], property: 'code' | 'claim', pattern: RegExp): string | undefined {
  return errors
    .map((error) => (typeof error === 'object' && error !== null ? Reflect.get(error, property) : undefined))
    .filter((text) => typeof text === 'string')
    .find((text) => pattern.test(text))
}

// The code may be any text in the callback's URL, so only what looks like a code is logged.
function toDetail(code: string): string {
  const word = code
    .replace(/^OAUTH_/, '')
    .toLowerCase()
    .replaceAll('_', '-')
  return /^[a-z-]{1,60}$/.test(word) ? word : 'unknown'
}
