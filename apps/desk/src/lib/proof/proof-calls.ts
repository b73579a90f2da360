import { startAuthentication } from '@simplewebauthn/browser'
import type { You } from '@tidings/contracts/desk/people/you'
import * as routes from '@tidings/contracts/desk/routes'
import { ApiError, call } from '#lib/api/call.ts'

/** Returns whether the API asks who makes the change. */
export function asksForProof(error: unknown): boolean {
  return error instanceof ApiError && error.code === 'proof-needed'
}

/** Proves with a passkey of this device that it is the person at the desk. Rejects if they cancel it. */
export async function proveWithPasskey(): Promise<You> {
  const { data: options } = await call(routes.requestProofOptions, {})
  const { challenge } = options
  const { id, rawId, response } = await startAuthentication({ optionsJSON: { ...options, challenge } })
  const { clientDataJSON, authenticatorData, signature } = response
  const body = {
    response: {
      id,
      rawId,
      type: 'public-key' as const,
      response: { clientDataJSON, authenticatorData, signature },
    },
  }
  return (await call(routes.giveProof, { body })).data
}

/** Sends a new link by email, for people without a passkey. */
export async function sendProofLink(email: string): Promise<string> {
  return (await call(routes.requestSignInLink, { body: { email } })).data.message
}
