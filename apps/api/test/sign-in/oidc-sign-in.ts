import { type Emulators, startEmulators } from '@tidings/emulators/emulators'
import { type SignedIn, signIn } from '@tidings/emulators/identity/sign-in'
import { expect } from 'vitest'
import {
  createIdentityProviders,
  newFlowSecrets,
} from '#integrations/identity/configured-identity-providers.ts'
import type { Connection } from '#integrations/identity/connection.ts'
import type { IdentityProvider, IdentityProviderConfig } from '#integrations/identity/identity-provider.ts'

type Changes = Partial<Omit<Extract<IdentityProviderConfig, { kind: 'oidc' }>, 'kind'>>

export const redirectUri = 'http://localhost:3000/auth-provider/callback/local'

const now = () => new Date('2026-11-20T18:00:00Z')

/** Starts the identity emulator. */
export function startIdentityEmulator(port = 0): Promise<Emulators> {
  return startEmulators({ host: '127.0.0.1', port, smtpPort: 0, now })
}

/** Creates our side of the emulator's provider. */
export function createOidcProvider(
  issuer: string,
  changes: Changes = {},
  connection: Partial<Connection> = {},
): IdentityProvider {
  const texts = { key: 'local', name: 'Local', icon: null, issuer }
  const client = { clientId: 'tidings-local', clientSecret: 'local-secret' }
  const config = { kind: 'oidc', ...texts, ...client, clientAuthentication: 'client_secret_post' } as const
  const provider = createIdentityProviders([{ ...config, ...changes }], connection)
    .values()
    .next().value
  if (!provider) throw new Error('no provider')
  return provider
}

/** Signs in up to the callback; returns the callback and its flow. */
export async function signInUntilCallback(
  provider: IdentityProvider,
  form: Record<string, string> = { person: 'ada' },
) {
  const flow = { ...newFlowSecrets(), redirectUri }
  const back = await signIn(await provider.start(flow), form)
  return { flow, back }
}

/** Returns the callback with changed parameters; null removes one. */
export function changeCallback({ url }: SignedIn, changes: Record<string, string | null>): SignedIn {
  const other = new URL(url)
  for (const [name, value] of Object.entries(changes)) {
    if (value === null) other.searchParams.delete(name)
    else other.searchParams.set(name, value)
  }
  return { url: other }
}

/** Spoils the emulator's next token response. */
export async function spoilNextToken(fault: string, { identityUrl }: Emulators): Promise<void> {
  const body = JSON.stringify({ fault })
  const headers = { 'content-type': 'application/json' }
  const reply = await fetch(`${identityUrl}/next`, { method: 'POST', headers, body })
  expect(reply.status).toBe(204)
}
