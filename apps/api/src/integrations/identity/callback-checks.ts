import { type IdentityCallback, IdentityRefusedError } from './identity-provider.ts'

type Expected = {
  /** The provider's own name for itself. */
  issuer: string
  /** Whether it has promised to say its name in every callback, so that none can be passed off as another's. */
  namesItself: boolean
}

/** What the provider answered: the form when it was posted, else the query. */
export function parametersOf({ url, body }: IdentityCallback): URLSearchParams {
  return body ?? url.searchParams
}

/** Throws unless the callback belongs to this flow. The library looks again; here each failure gets its own name. */
export function requireState(provider: string, parameters: URLSearchParams, state: string): void {
  if (parameters.get('state') !== state) throw new IdentityRefusedError(provider, 'wrong-state')
}

/** Throws unless the callback is this provider's, and one answer alone: a code, or an error. */
export function requireAnswerOf(provider: string, parameters: URLSearchParams, expected: Expected): void {
  const named = parameters.get('iss')
  if (named === null ? expected.namesItself : named !== expected.issuer) {
    throw new IdentityRefusedError(provider, 'wrong-issuer')
  }
  for (const name of ['state', 'iss', 'code', 'error']) {
    if (parameters.getAll(name).length > 1) throw new IdentityRefusedError(provider, 'wrong-answer', name)
  }
  if (!parameters.get('code') && !parameters.get('error')) {
    throw new IdentityRefusedError(provider, 'wrong-answer', 'no code')
  }
}
