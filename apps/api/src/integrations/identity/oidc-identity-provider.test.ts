import { createServer } from 'node:http'
import { type Emulators, startEmulators } from '@tidings/emulators/emulators'
import { type SignedIn, signIn } from '@tidings/emulators/identity/sign-in'
import { freePort } from '@tidings/launcher/free-port'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createFixedClock, systemClock } from '#platform/clock.ts'
import { createIdentityProviders, newFlowSecrets } from './configured-identity-providers.ts'
import type { Connection } from './connection.ts'

import type { IdentityProvider, IdentityProviderConfig } from './identity-provider.ts'

const redirectUri = 'http://localhost:3000/auth-provider/callback/local'
const now = () => new Date('2026-11-20T18:00:00Z')
const start = (port = 0) => startEmulators({ host: '127.0.0.1', port, smtpPort: 0, now })

let emulators: Emulators
let local: IdentityProvider
beforeAll(async () => {
  emulators = await start()
  local = localProvider()
})
afterAll(() => emulators.stop())

type Changes = Partial<Omit<Extract<IdentityProviderConfig, { kind: 'oidc' }>, 'kind'>>

function localProvider(changes: Changes = {}, connection: Partial<Connection> = {}): IdentityProvider {
  const texts = { key: 'local', name: 'Local', icon: null, issuer: emulators.identityUrl }
  const client = { clientId: 'tidings-local', clientSecret: 'local-secret' }
  const config = { kind: 'oidc', ...texts, ...client, clientAuthentication: 'client_secret_post' } as const
  const provider = createIdentityProviders([{ ...config, ...changes }], connection)
    .values()
    .next().value
  if (!provider) throw new Error('no provider')
  return provider
}

/** Signs in up to the callback; returns the callback and its flow. */
async function begun(provider = local, form: Record<string, string> = { person: 'ada' }) {
  const flow = { ...newFlowSecrets(), redirectUri }
  const back = await signIn(await provider.start(flow), form)
  return { flow, back }
}

/** Returns the callback with changed parameters; null removes one. */
function changed({ url }: SignedIn, changes: Record<string, string | null>): SignedIn {
  const other = new URL(url)
  for (const [name, value] of Object.entries(changes)) {
    if (value === null) other.searchParams.delete(name)
    else other.searchParams.set(name, value)
  }
  return { url: other }
}

async function spoilNext(fault: string, at = emulators) {
  const body = JSON.stringify({ fault })
  const headers = { 'content-type': 'application/json' }
  const reply = await fetch(`${at.identityUrl}/next`, { method: 'POST', headers, body })
  expect(reply.status).toBe(204)
}

describe('start', () => {
  it('redirects to the provider with state, nonce and challenge', async () => {
    const flow = { ...newFlowSecrets(), redirectUri }
    const url = await local.start(flow)
    expect(`${url.origin}${url.pathname}`).toBe(`${emulators.identityUrl}/auth`)
    expect(Object.fromEntries(url.searchParams)).toMatchObject({
      response_type: 'code',
      client_id: 'tidings-local',
      redirect_uri: redirectUri,
      state: flow.state,
      nonce: flow.nonce,
      code_challenge_method: 'S256',
    })
    expect(url.href).not.toContain(flow.codeVerifier)
  })

  it('creates new secrets for every sign-in', () => {
    const [one, other] = [newFlowSecrets(), newFlowSecrets()]
    expect(new Set([...Object.values(one), ...Object.values(other)]).size).toBe(6)
  })

  it('reports an unreachable provider, and works once it is reachable', async () => {
    const port = await freePort()
    const provider = localProvider({ issuer: emulators.identityUrl.replace(/:\d+/, `:${port}`) })
    const flow = { ...newFlowSecrets(), redirectUri }
    await expect(provider.start(flow)).rejects.toMatchObject({
      name: 'IdentityUnavailableError',
      reason: 'unreachable',
      detail: 'ECONNREFUSED',
    })
    const up = await start(port)
    expect((await provider.start(flow)).port).toBe(String(port))
    await up.stop()
  })

  it('reports a provider that exceeds the timeout', async () => {
    const silent = createServer(() => {})
    const { promise: listening, resolve } = Promise.withResolvers<void>()
    silent.listen(0, '127.0.0.1', resolve)
    await listening
    const address = silent.address()
    const port = typeof address === 'object' ? address?.port : 0
    const provider = localProvider({ issuer: `http://127.0.0.1:${port}` }, { timeoutSeconds: 0.1 })
    await expect(provider.start({ ...newFlowSecrets(), redirectUri })).rejects.toMatchObject({
      name: 'IdentityUnavailableError',
      reason: 'timeout',
    })
    silent.closeAllConnections()
    silent.close()
  })

  it.each([
    ['an issuer that is not a URL', 'nowhere'],
    ['an issuer that does not match', 'http://127.0.0.1:PORT/identity/'],
    ['a URL without a provider', 'http://127.0.0.1:PORT/inbox'],
    ['HTTP to another host', 'http://identity.example'],
  ])('reports invalid settings: %s', async (_what, issuer) => {
    const provider = localProvider({ issuer: issuer.replace('PORT', new URL(emulators.identityUrl).port) })
    await expect(provider.start({ ...newFlowSecrets(), redirectUri })).rejects.toMatchObject({
      name: 'IdentityUnavailableError',
      reason: 'misconfigured',
    })
  })

  it('loads the discovery document once an hour', async () => {
    const clock = createFixedClock(systemClock.now())
    const requestedUrls: string[] = []
    const provider = localProvider(
      {},
      {
        clock,
        fetch: (url, { body = null, ...options }) => {
          requestedUrls.push(url)
          return fetch(url, { ...options, body })
        },
      },
    )
    const flow = { ...newFlowSecrets(), redirectUri }
    await Promise.all([provider.start(flow), provider.start(flow)])
    clock.pass(59 * 60_000)
    await provider.start(flow)
    expect(requestedUrls).toEqual([`${emulators.identityUrl}/.well-known/openid-configuration`])
    clock.pass(60_000)
    await provider.start(flow)
    expect(requestedUrls).toHaveLength(2)
  })
})

describe('finish', () => {
  it.each([
    ['a verified address', { person: 'ada' }, 'Ada Marlow', 'ada@example.com', true],
    ['an unverified address', { person: 'cleo' }, 'Cleo Lindqvist', 'cleo@example.com', false],
    ['only a name', { person: 'other', name: 'Nobody' }, 'Nobody', null, false],
    [
      'an address without a name',
      { person: 'other', email: 'eve@example.com', verified: 'on' },
      null,
      'eve@example.com',
      true,
    ],
  ])('returns the identity of a user with %s', async (_what, form, name, email, emailVerified) => {
    const { flow, back } = await begun(local, form)
    const identity = await local.finish({ ...flow, ...back })
    expect(identity).toEqual({ subject: expect.stringMatching(/^[0-9a-f]{20}$/), name, email, emailVerified })
  })

  it('returns a stable subject for each user', async () => {
    const subjects: string[] = []
    for (const person of ['ada', 'ben', 'ada']) {
      const { flow, back } = await begun(local, { person })
      subjects.push((await local.finish({ ...flow, ...back })).subject)
    }
    expect(subjects[2]).toBe(subjects[0])
    expect(subjects[1]).not.toBe(subjects[0])
  })

  it('accepts a callback at any of our URLs', async () => {
    const { flow, back } = await begun()
    const url = new URL(`http://10.0.0.1:8080/behind/a/proxy${back.url.search}`)
    expect((await local.finish({ ...flow, url })).email).toBe('ada@example.com')
  })

  it('accepts a POST callback', async () => {
    const flow = { ...newFlowSecrets(), redirectUri }
    const address = await local.start(flow)
    address.searchParams.set('response_mode', 'form_post')
    const back = await signIn(address, { person: 'ben' })
    expect(back.url.href).toBe(redirectUri)
    expect((await local.finish({ ...flow, ...back })).email).toBe('ben@example.com')
  })

  it('reports a canceled sign-in', async () => {
    const { flow, back } = await begun(local, { answer: 'cancel' })
    await expect(local.finish({ ...flow, ...back })).rejects.toMatchObject({
      name: 'IdentityRefusedError',
      reason: 'cancelled',
    })
  })

  it.each([
    ['another state', { state: 'another' }, 'wrong-state'],
    ['no state', { state: null }, 'wrong-state'],
    ['another provider', { iss: 'https://identity.example' }, 'wrong-issuer'],
    ['no issuer, although the provider always sends it', { iss: null }, 'wrong-issuer'],
    ['no code', { code: null }, 'wrong-answer'],
    ['an unknown code', { code: 'made-up' }, 'wrong-code'],
    ['an unexpected token', { id_token: 'a.b.c' }, 'wrong-token'],
    ['another error', { code: null, error: 'login_required' }, 'refused'],
    ['an invalid error', { code: null, error: '<script>' }, 'refused'],
  ])('rejects a callback with %s', async (_what, changes, reason) => {
    const { flow, back } = await begun()
    const error = await local
      .finish({ ...flow, ...changed(back, changes) })
      .catch((thrown: unknown) => thrown)
    expect(error).toMatchObject({ name: 'IdentityRefusedError', reason })
    expect(JSON.stringify(error)).not.toContain('<')
  })

  it('rejects a callback with a repeated parameter', async () => {
    const { flow, back } = await begun()
    const url = new URL(`${back.url}&code=another`)
    await expect(local.finish({ ...flow, url })).rejects.toMatchObject({ reason: 'wrong-answer' })
  })

  it('reports a provider that is temporarily unavailable', async () => {
    const { flow, back } = await begun()
    const down = changed(back, { code: null, error: 'temporarily_unavailable' })
    await expect(local.finish({ ...flow, ...down })).rejects.toMatchObject({
      name: 'IdentityUnavailableError',
      reason: 'provider-error',
    })
  })

  it('rejects a used code', async () => {
    const { flow, back } = await begun()
    await local.finish({ ...flow, ...back })
    await expect(local.finish({ ...flow, ...back })).rejects.toMatchObject({ reason: 'wrong-code' })
  })

  it('accepts only one of two concurrent callbacks with the same code', async () => {
    const { flow, back } = await begun()
    const both = await Promise.allSettled([
      local.finish({ ...flow, ...back }),
      local.finish({ ...flow, ...back }),
    ])
    expect(both.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected'])
  })

  it('rejects the code of another browser', async () => {
    const mine = await begun()
    const theirs = await begun(local, { person: 'ben' })
    const { searchParams } = theirs.back.url
    const mixed = changed(mine.back, { code: searchParams.get('code') })
    await expect(local.finish({ ...mine.flow, ...mixed })).rejects.toMatchObject({ reason: 'wrong-code' })
  })

  it("rejects another provider's response", async () => {
    const second = await start()
    const other = localProvider({ key: 'other', issuer: second.identityUrl })
    const { flow, back } = await begun(local)
    await expect(other.finish({ ...flow, ...back })).rejects.toMatchObject({ reason: 'wrong-issuer' })
    await second.stop()
  })

  it.each([
    ['another nonce', 'wrong-nonce', 'jwt-claim-comparison-failed nonce'],
    ['another issuer', 'wrong-issuer', 'jwt-claim-comparison-failed iss'],
    ['another audience', 'wrong-audience', 'jwt-claim-comparison-failed aud'],
    ['another authorized party', 'wrong-party', 'jwt-claim-comparison-failed azp'],
    ['a past expiry', 'expired', 'jwt-timestamp-check-failed exp'],
    ['a future issue time', 'from-the-future', 'jwt-timestamp-check-failed iat'],
    ['an altered subject', 'altered', 'invalid-response'],
    ['no signature', 'unsigned', 'invalid-response'],
    ['the signature of another key', 'other-key', 'invalid-response'],
    ['the signature of an unknown key', 'unknown-key', 'key-selection-failed'],
  ])('rejects a token with %s', async (_what, fault, detail) => {
    const { flow, back } = await begun()
    await spoilNext(fault)
    await expect(local.finish({ ...flow, ...back })).rejects.toMatchObject({
      name: 'IdentityRefusedError',
      reason: 'wrong-token',
      detail,
    })
    const again = await begun()
    expect((await local.finish({ ...again.flow, ...again.back })).email).toBe('ada@example.com')
  })

  it('rejects a response without a token', async () => {
    const { flow, back } = await begun()
    await spoilNext('without-token')
    await expect(local.finish({ ...flow, ...back })).rejects.toMatchObject({ name: 'IdentityRefusedError' })
  })

  it('reports a failed response', async () => {
    const { flow, back } = await begun()
    await spoilNext('server-error')
    await expect(local.finish({ ...flow, ...back })).rejects.toMatchObject({
      name: 'IdentityUnavailableError',
      reason: 'provider-error',
      detail: 'status 503',
    })
  })

  it('reports a slow and an unreachable provider', async () => {
    const own = await start()
    const provider = localProvider({ issuer: own.identityUrl })
    const shortTimeout = localProvider({ issuer: own.identityUrl }, { timeoutSeconds: 0.1 })
    const [first, second] = [await begun(provider), await begun(provider)]
    await spoilNext('slow', own)
    await expect(shortTimeout.finish({ ...first.flow, ...first.back })).rejects.toMatchObject({
      name: 'IdentityUnavailableError',
      reason: 'timeout',
    })
    await own.stop()
    await expect(provider.finish({ ...second.flow, ...second.back })).rejects.toMatchObject({
      name: 'IdentityUnavailableError',
      reason: 'unreachable',
    })
  })

  it('reports a wrong client secret', async () => {
    const provider = localProvider({ clientSecret: 'wrong' })
    const { flow, back } = await begun(provider)
    await expect(provider.finish({ ...flow, ...back })).rejects.toMatchObject({
      name: 'IdentityUnavailableError',
      reason: 'misconfigured',
    })
  })

  it('reloads the keys after an unknown one', async () => {
    const port = await freePort()
    const first = await start(port)
    const provider = localProvider({ issuer: first.identityUrl })
    const before = await begun(provider)
    await provider.finish({ ...before.flow, ...before.back })
    await first.stop()
    const second = await start(port)
    const [lost, found] = [await begun(provider), await begun(provider)]
    await expect(provider.finish({ ...lost.flow, ...lost.back })).rejects.toMatchObject({
      reason: 'wrong-token',
    })
    expect((await provider.finish({ ...found.flow, ...found.back })).email).toBe('ada@example.com')
    await second.stop()
  })

  it('keeps secrets out of its errors', async () => {
    const { flow, back } = await begun()
    await spoilNext('wrong-nonce')
    const error = await local.finish({ ...flow, ...back }).catch((thrown: unknown) => thrown)
    if (!(error instanceof Error)) throw new Error('no error')
    expect(error.cause).toBeUndefined()
    const output = `${error.stack}${JSON.stringify(error)}`
    for (const secret of [
      flow.state,
      flow.nonce,
      flow.codeVerifier,
      back.url.searchParams.get('code') ?? '',
    ]) {
      expect(output).not.toContain(secret)
    }
    expect(output).not.toContain('eyJ')
  })
})
