import { randomNonce, randomPKCECodeVerifier, randomState } from 'openid-client'
import type { FlowSecrets } from './identity-provider.ts'

/** New secrets for one sign-in, 256 random bits each. */
export function newFlowSecrets(): FlowSecrets {
  return { state: randomState(), nonce: randomNonce(), codeVerifier: randomPKCECodeVerifier() }
}
