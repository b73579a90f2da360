import { AuthorizationResponseError, ResponseBodyError, WWWAuthenticateChallengeError } from 'openid-client'
import { type IdentityRefusal, IdentityRefusedError, IdentityUnavailableError } from './identity-provider.ts'

const saidNo = ['access_denied', 'user_cancelled_authorize']
const isDown = ['server_error', 'temporarily_unavailable']
const refusesCode = ['invalid_grant', 'bad_verification_code']
const refusesUs = [
  'invalid_client',
  'unauthorized_client',
  'unsupported_grant_type',
  'invalid_scope',
  'incorrect_client_credentials',
  'redirect_uri_mismatch',
]
const unusableSettings = [
  'OAUTH_HTTP_REQUEST_FORBIDDEN',
  'OAUTH_REQUEST_PROTOCOL_FORBIDDEN',
  'OAUTH_MISSING_SERVER_METADATA',
  'OAUTH_INVALID_SERVER_METADATA',
]
const unusableAnswers = [
  'OAUTH_PARSE_ERROR',
  'OAUTH_RESPONSE_IS_NOT_JSON',
  'OAUTH_JSON_ATTRIBUTE_COMPARISON_FAILED',
]

/**
 * Runs a conversation with a provider and tells its failures in the role's words. `refusal` is what a failed check
 * means; null where there is nobody to refuse, and a check that fails means that our settings are wrong.
 */
export async function inRoleWords<T>(
  provider: string,
  refusal: IdentityRefusal | null,
  talk: () => Promise<T>,
): Promise<T> {
  try {
    return await talk()
  } catch (error) {
    throw failureOf(provider, refusal, error)
  }
}

function failureOf(provider: string, refusal: IdentityRefusal | null, error: unknown): unknown {
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
    return new IdentityUnavailableError(provider, 'unreachable', codeIn(causes) ?? 'no connection')
  }
  const code = libraryCodeOf(error)
  if (!code) return error
  const reply = causes.find((cause) => cause instanceof Response)
  if (reply && (refusal || reply.status >= 500)) {
    return new IdentityUnavailableError(provider, 'provider-error', `status ${reply.status}`)
  }
  const detail = [wordOf(code), claimIn(causes)].filter(Boolean).join(' ')
  if (!refusal || unusableSettings.includes(code))
    return new IdentityUnavailableError(provider, 'misconfigured', detail)
  return new IdentityRefusedError(provider, unusableAnswers.includes(code) ? 'wrong-answer' : refusal, detail)
}

function ofCallback(provider: string, code: string) {
  if (saidNo.includes(code)) return new IdentityRefusedError(provider, 'cancelled')
  if (isDown.includes(code)) return new IdentityUnavailableError(provider, 'provider-error', wordOf(code))
  return new IdentityRefusedError(provider, 'refused', wordOf(code))
}

function ofTokenEndpoint(provider: string, { status, error }: ResponseBodyError) {
  const detail = wordOf(error)
  if (refusesCode.includes(error)) return new IdentityRefusedError(provider, 'wrong-code', detail)
  if (refusesUs.includes(error)) return new IdentityUnavailableError(provider, 'misconfigured', detail)
  if (status === 429) return new IdentityUnavailableError(provider, 'provider-error', `status ${status}`)
  return new IdentityRefusedError(provider, 'refused', detail)
}

/** The library's code for a failed check; null for an error that is not about the provider at all. */
function libraryCodeOf(error: unknown): string | null {
  if (!(error instanceof Error) || !('code' in error) || typeof error.code !== 'string') return null
  return error.code.startsWith('OAUTH_') ? error.code : null
}

/** Whether `fetch` reached nobody, or was cut off. It says so by a TypeError without a code. */
function isBrokenConnection(cause: unknown): boolean {
  return cause instanceof TypeError && /^(?:fetch failed|terminated)$/.test(cause.message)
}

/** An error, its cause, the cause's cause and so on. */
function* causesOf(error: unknown): Generator<unknown> {
  for (let cause = error; cause !== undefined && cause !== null; ) {
    yield cause
    cause = cause instanceof Error ? cause.cause : undefined
  }
}

/** The system's word for a connection that failed, as in `ECONNREFUSED`. */
function codeIn(causes: unknown[]): string | undefined {
  for (const cause of causes) {
    if (cause instanceof Error && 'code' in cause && /^E[A-Z_]{1,30}$/.test(String(cause.code))) {
      return String(cause.code)
    }
  }
  return undefined
}

/** The name of the claim that a check was about. */
function claimIn(causes: unknown[]): string | undefined {
  for (const cause of causes) {
    if (typeof cause === 'object' && cause !== null && 'claim' in cause) return wordOf(String(cause.claim))
  }
  return undefined
}

// A code may be whatever somebody put into the callback's address: only what looks like one is repeated.
function wordOf(code: string): string {
  const word = code
    .replace(/^OAUTH_/, '')
    .toLowerCase()
    .replaceAll('_', '-')
  return /^[a-z-]{1,60}$/.test(word) ? word : 'unknown'
}
