import { type IdentityCallback, IdentityRefusedError } from './identity-provider.ts'

/** Returns the callback's parameters; throws a distinct error unless they carry the flow's state. */
export function readCallback(provider: string, { url, body, state }: IdentityCallback): URLSearchParams {
  const parameters = body ?? url.searchParams
  if (parameters.get('state') !== state) throw new IdentityRefusedError(provider, 'wrong-state')
  return parameters
}

/** Throws unless the callback is from this issuer and has one code or error. */
export function checkCallback(
  provider: string,
  parameters: URLSearchParams,
  { issuer, sendsIssuer }: { issuer: string; sendsIssuer: boolean },
): void {
  const sent = parameters.get('iss')
  if (sent === null ? sendsIssuer : sent !== issuer) throw new IdentityRefusedError(provider, 'wrong-issuer')
  for (const name of ['state', 'iss', 'code', 'error']) {
    if (parameters.getAll(name).length > 1)
      throw new IdentityRefusedError(provider, 'malformed-response', name)
  }
  if (!parameters.get('code') && !parameters.get('error')) {
    throw new IdentityRefusedError(provider, 'malformed-response', 'no code')
  }
}
