import { type Emulators, startEmulators } from '@tidings/emulators/emulators'
import { type SignedIn, signIn } from '@tidings/emulators/identity/sign-in'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createIdentityProviders, newFlowSecrets } from './configured-identity-providers.ts'
import type { Connection } from './connection.ts'

import type { IdentityProvider, IdentityProviderConfig } from './identity-provider.ts'

const redirectUri = 'http://localhost:3000/auth-provider/callback/github'
const now = () => new Date('2026-11-20T18:00:00Z')

let emulators: Emulators
let github: IdentityProvider
beforeAll(async () => {
  emulators = await startEmulators({ host: '127.0.0.1', port: 0, smtpPort: 0, now })
  github = githubProvider()
})
afterAll(() => emulators.stop())

type Changes = Partial<Omit<Extract<IdentityProviderConfig, { kind: 'github' }>, 'kind'>>

function githubProvider(changes: Changes = {}, connection: Partial<Connection> = {}): IdentityProvider {
  const texts = { key: 'github', name: 'GitHub', icon: null }
  const client = { clientId: 'tidings-local', clientSecret: 'local-secret' }
  const addresses = { siteUrl: emulators.githubUrl, apiUrl: emulators.githubUrl }
  const config = { kind: 'github' as const, ...texts, ...client, ...addresses, ...changes }
  const provider = createIdentityProviders([config], connection).get('github')
  if (!provider) throw new Error('no provider')
  return provider
}

async function begun(provider = github, form: Record<string, string> = { person: 'ada' }) {
  const flow = { ...newFlowSecrets(), redirectUri }
  const back: SignedIn = await signIn(await provider.start(flow), form)
  return { flow, back }
}

async function spoilNext(fault: string) {
  const body = JSON.stringify({ fault })
  const headers = { 'content-type': 'application/json' }
  const reply = await fetch(`${emulators.githubUrl}/next`, { method: 'POST', headers, body })
  expect(reply.status).toBe(204)
}

describe('GitHub', () => {
  it('gets a PKCE challenge and the email scope', async () => {
    const flow = { ...newFlowSecrets(), redirectUri }
    const url = await github.start(flow)
    expect(`${url.origin}${url.pathname}`).toBe(`${emulators.githubUrl}/login/oauth/authorize`)
    expect(Object.fromEntries(url.searchParams)).toMatchObject({
      client_id: 'tidings-local',
      state: flow.state,
      scope: 'read:user user:email',
      code_challenge_method: 'S256',
    })
  })

  it.each([
    ['with a verified primary address', { person: 'ada' }, 'Ada Marlow', 'ada@example.com', true],
    ['with an unverified primary address', { person: 'cleo' }, 'Cleo Lindqvist', 'cleo@example.com', false],
    ['without an address', { person: 'other', name: 'Nobody' }, 'Nobody', null, false],
    [
      'without a name',
      { person: 'other', email: 'eve@example.com', verified: 'on' },
      null,
      'eve@example.com',
      true,
    ],
  ])('returns the identity of a user %s', async (_what, form, name, email, emailVerified) => {
    const { flow, back } = await begun(github, form)
    const identity = await github.finish({ ...flow, ...back })
    expect(identity).toEqual({ subject: expect.stringMatching(/^\d+$/), name, email, emailVerified })
  })

  it('reports a canceled sign-in', async () => {
    const { flow, back } = await begun(github, { answer: 'cancel' })
    await expect(github.finish({ ...flow, ...back })).rejects.toMatchObject({
      name: 'IdentityRefusedError',
      reason: 'cancelled',
    })
  })

  it.each([
    ['another state', 'state', 'another', 'wrong-state'],
    ['another provider', 'iss', 'https://identity.example', 'wrong-issuer'],
    ['an unknown code', 'code', 'made-up', 'wrong-code'],
    ['an empty code', 'code', '', 'malformed-response'],
  ])('rejects a callback with %s', async (_what, name, value, reason) => {
    const { flow, back } = await begun()
    back.url.searchParams.set(name, value)
    await expect(github.finish({ ...flow, ...back })).rejects.toMatchObject({
      name: 'IdentityRefusedError',
      reason,
    })
  })

  it('rejects a used code and a code of another browser', async () => {
    const [mine, theirs] = [await begun(), await begun()]
    await github.finish({ ...mine.flow, ...mine.back })
    await expect(github.finish({ ...mine.flow, ...mine.back })).rejects.toMatchObject({
      reason: 'wrong-code',
    })
    mine.back.url.searchParams.set('code', theirs.back.url.searchParams.get('code') ?? '')
    await expect(github.finish({ ...mine.flow, ...mine.back })).rejects.toMatchObject({
      reason: 'wrong-code',
    })
  })

  it('reports a wrong client secret', async () => {
    const { flow, back } = await begun()
    const provider = githubProvider({ clientSecret: 'wrong' })
    await expect(provider.finish({ ...flow, ...back })).rejects.toMatchObject({
      name: 'IdentityUnavailableError',
      reason: 'misconfigured',
    })
  })

  it('reports an unavailable or invalid API', async () => {
    const [first, second] = [await begun(), await begun()]
    const nowhere = githubProvider({ apiUrl: `${emulators.githubUrl}/nowhere` })
    await expect(nowhere.finish({ ...first.flow, ...first.back })).rejects.toMatchObject({
      name: 'IdentityUnavailableError',
      reason: 'provider-error',
      detail: 'status 404',
    })
    const elsewhere = githubProvider({ apiUrl: new URL('/inbox?', emulators.inboxUrl).href })
    await expect(elsewhere.finish({ ...second.flow, ...second.back })).rejects.toMatchObject({
      name: 'IdentityRefusedError',
      reason: 'malformed-response',
    })
  })

  it('reports a failed and a slow response', async () => {
    const [first, second] = [await begun(), await begun()]
    await spoilNext('server-error')
    await expect(github.finish({ ...first.flow, ...first.back })).rejects.toMatchObject({
      reason: 'provider-error',
      detail: 'status 503',
    })
    await spoilNext('slow')
    const shortTimeout = githubProvider({}, { timeoutSeconds: 0.1 })
    await expect(shortTimeout.finish({ ...second.flow, ...second.back })).rejects.toMatchObject({
      reason: 'timeout',
    })
  })

  it('neither redirects to another host without TLS nor sends it the secret', async () => {
    const { flow, back } = await begun()
    const provider = githubProvider({ siteUrl: 'http://github.example' })
    const refusal = {
      name: 'IdentityUnavailableError',
      reason: 'misconfigured',
      detail: 'http-request-forbidden',
    }
    await expect(provider.start(flow)).rejects.toMatchObject(refusal)
    await expect(provider.finish({ ...flow, ...back })).rejects.toMatchObject(refusal)
  })

  it('can be GitHub Enterprise with its API below the site', async () => {
    const provider = githubProvider({ apiUrl: `${emulators.githubUrl}/api/v3` })
    const { flow, back } = await begun(provider)
    expect((await provider.finish({ ...flow, ...back })).email).toBe('ada@example.com')
  })
})
