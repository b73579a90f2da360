import { createServer } from 'node:http'
import type { Emulators } from '@tidings/emulators/emulators'
import { signIn } from '@tidings/emulators/identity/sign-in'
import { freePort } from '@tidings/launcher/free-port'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { systemClock } from '#platform/clock.ts'
import { createFixedClock } from '#test/factories/fixed-clock.ts'
import {
  changeCallback,
  createOidcProvider,
  redirectUri,
  signInUntilCallback,
  startIdentityEmulator,
} from '#test/sign-in/oidc-sign-in.ts'
import { newFlowSecrets } from './configured-identity-providers.ts'
import type { IdentityProvider } from './identity-provider.ts'

let emulators: Emulators
let local: IdentityProvider
beforeAll(async () => {
  emulators = await startIdentityEmulator()
  local = createOidcProvider(emulators.identityUrl)
})
afterAll(() => emulators.stop())

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
    const provider = createOidcProvider(emulators.identityUrl.replace(/:\d+/, `:${port}`))
    const flow = { ...newFlowSecrets(), redirectUri }
    await expect(provider.start(flow)).rejects.toMatchObject({
      name: 'IdentityUnavailableError',
      reason: 'unreachable',
      detail: 'ECONNREFUSED',
    })
    const up = await startIdentityEmulator(port)
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
    const provider = createOidcProvider(`http://127.0.0.1:${port}`, {}, { timeoutSeconds: 0.1 })
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
    const provider = createOidcProvider(issuer.replace('PORT', new URL(emulators.identityUrl).port))
    await expect(provider.start({ ...newFlowSecrets(), redirectUri })).rejects.toMatchObject({
      name: 'IdentityUnavailableError',
      reason: 'misconfigured',
    })
  })

  it('loads the discovery document once an hour', async () => {
    const clock = createFixedClock(systemClock.now())
    const requestedUrls: string[] = []
    const provider = createOidcProvider(
      emulators.identityUrl,
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
    const { flow, back } = await signInUntilCallback(local, form)
    const identity = await local.finish({ ...flow, ...back })
    expect(identity).toEqual({ subject: expect.stringMatching(/^[0-9a-f]{20}$/), name, email, emailVerified })
  })

  it('returns a stable subject for each user', async () => {
    const subjects: string[] = []
    for (const person of ['ada', 'ben', 'ada']) {
      const { flow, back } = await signInUntilCallback(local, { person })
      subjects.push((await local.finish({ ...flow, ...back })).subject)
    }
    expect(subjects[2]).toBe(subjects[0])
    expect(subjects[1]).not.toBe(subjects[0])
  })

  it('accepts a callback at any of our URLs', async () => {
    const { flow, back } = await signInUntilCallback(local)
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
    const { flow, back } = await signInUntilCallback(local, { answer: 'cancel' })
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
    ['no code', { code: null }, 'malformed-response'],
    ['an unknown code', { code: 'made-up' }, 'wrong-code'],
    ['an unexpected token', { id_token: 'a.b.c' }, 'wrong-token'],
    ['another error', { code: null, error: 'login_required' }, 'refused'],
    ['an invalid error', { code: null, error: '<script>' }, 'refused'],
  ])('rejects a callback with %s', async (_what, changes, reason) => {
    const { flow, back } = await signInUntilCallback(local)
    const error = await local
      .finish({ ...flow, ...changeCallback(back, changes) })
      .catch((thrown: unknown) => thrown)
    expect(error).toMatchObject({ name: 'IdentityRefusedError', reason })
    expect(JSON.stringify(error)).not.toContain('<')
  })

  it('rejects a callback with a repeated parameter', async () => {
    const { flow, back } = await signInUntilCallback(local)
    const url = new URL(`${back.url}&code=another`)
    await expect(local.finish({ ...flow, url })).rejects.toMatchObject({ reason: 'malformed-response' })
  })

  it('reports a provider that is temporarily unavailable', async () => {
    const { flow, back } = await signInUntilCallback(local)
    const down = changeCallback(back, { code: null, error: 'temporarily_unavailable' })
    await expect(local.finish({ ...flow, ...down })).rejects.toMatchObject({
      name: 'IdentityUnavailableError',
      reason: 'provider-error',
    })
  })

  it('rejects a used code', async () => {
    const { flow, back } = await signInUntilCallback(local)
    await local.finish({ ...flow, ...back })
    await expect(local.finish({ ...flow, ...back })).rejects.toMatchObject({ reason: 'wrong-code' })
  })

  it('accepts only one of two concurrent callbacks with the same code', async () => {
    const { flow, back } = await signInUntilCallback(local)
    const both = await Promise.allSettled([
      local.finish({ ...flow, ...back }),
      local.finish({ ...flow, ...back }),
    ])
    expect(both.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected'])
  })

  it('rejects the code of another browser', async () => {
    const mine = await signInUntilCallback(local)
    const theirs = await signInUntilCallback(local, { person: 'ben' })
    const { searchParams } = theirs.back.url
    const mixed = changeCallback(mine.back, { code: searchParams.get('code') })
    await expect(local.finish({ ...mine.flow, ...mixed })).rejects.toMatchObject({ reason: 'wrong-code' })
  })

  it("rejects another provider's response", async () => {
    const second = await startIdentityEmulator()
    const other = createOidcProvider(second.identityUrl, { key: 'other' })
    const { flow, back } = await signInUntilCallback(local)
    await expect(other.finish({ ...flow, ...back })).rejects.toMatchObject({ reason: 'wrong-issuer' })
    await second.stop()
  })
})
