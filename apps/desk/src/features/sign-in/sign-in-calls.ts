import { type PublicKeyCredentialRequestOptionsJSON, startAuthentication } from '@simplewebauthn/browser'
import type { You } from '@tidings/contracts/desk/people/you'
import * as routes from '@tidings/contracts/desk/routes'
import { call } from '#lib/api/call.ts'

/** Signs in with a passkey of this device. Rejects if the person cancels it. */
export async function signInWithPasskey(): Promise<You> {
  const { data: options } = await call(routes.requestSignInOptions, {})
  const { id, rawId, response } = await startAuthentication({ optionsJSON: requestOptionsOf(options) })
  const { clientDataJSON, authenticatorData, signature } = response
  const body = {
    response: {
      id,
      rawId,
      type: 'public-key' as const,
      response: { clientDataJSON, authenticatorData, signature },
    },
  }
  return (await call(routes.signIn, { body })).data
}

function requestOptionsOf(options: {
  challenge: string
  rpId: string
}): PublicKeyCredentialRequestOptionsJSON {
  return { ...options, challenge: options.challenge }
}

/** Asks for a link by email. The reply is the same for every address. */
export async function requestLink(email: string): Promise<string> {
  return (await call(routes.requestSignInLink, { body: { email } })).data.message
}
