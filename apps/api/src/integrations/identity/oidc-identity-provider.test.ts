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

/** A sign-in up to the callback: what came back, and the flow it belongs to. */
async function begun(provider = local, form: Record<string, string> = { person: 'ada' }) {
  const flow = { ...newFlowSecrets(), redirectUri }
  const back = await signIn(await provider.start(flow), form)
  return { flow, back }
}

/** The callback with some of its parameters changed; null takes one away. */
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
  it('leads to the provider with all that the answer is checked by', async () => {
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

  it('makes other secrets for every sign-in', () => {
    const [one, other] = [newFlowSecrets(), newFlowSecrets()]
    expect(new Set([...Object.values(one), ...Object.values(other)]).size).toBe(6)
  })

  it('says that nobody is there, and finds the provider once it is', async () => {
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

  it('says that a provider does not answer in time', async () => {
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
    ['an address that is none', 'nowhere'],
    ['an issuer with another name', 'http://127.0.0.1:PORT/identity/'],
    ['an address without a provider', 'http://127.0.0.1:PORT/inbox'],
    ['http to another machine', 'http://identity.example'],
  ])('says that our settings are wrong: %s', async (_what, issuer) => {
    const provider = localProvider({ issuer: issuer.replace('PORT', new URL(emulators.identityUrl).port) })
    await expect(provider.start({ ...newFlowSecrets(), redirectUri })).rejects.toMatchObject({
      name: 'IdentityUnavailableError',
      reason: 'misconfigured',
    })
  })

  it('reads what the provider tells about itself once an hour', async () => {
    const clock = createFixedClock(systemClock.now())
    const asked: string[] = []
    const provider = localProvider(
      {},
      {
        clock,
        fetch: (url, { body = null, ...options }) => {
          asked.push(url)
          return fetch(url, { ...options, body })
        },
      },
    )
    const flow = { ...newFlowSecrets(), redirectUri }
    await Promise.all([provider.start(flow), provider.start(flow)])
    clock.pass(59 * 60_000)
    await provider.start(flow)
    expect(asked).toEqual([`${emulators.identityUrl}/.well-known/openid-configuration`])
    clock.pass(60_000)
    await provider.start(flow)
    expect(asked).toHaveLength(2)
  })
})

describe('finish', () => {
  it.each([
    ['a verified address', { person: 'ada' }, 'Ada Marlow', 'ada@example.com', true],
    ['an address that is not verified', { person: 'cleo' }, 'Cleo Lindqvist', 'cleo@example.com', false],
    ['nothing but a name', { person: 'other', name: 'Nobody' }, 'Nobody', null, false],
    [
      'an address and no name',
      { person: 'other', email: 'eve@example.com', verified: 'on' },
      null,
      'eve@example.com',
      true,
    ],
  ])('tells who came back: somebody with %s', async (_what, form, name, email, emailVerified) => {
    const { flow, back } = await begun(local, form)
    const identity = await local.finish({ ...flow, ...back })
    expect(identity).toEqual({ subject: expect.stringMatching(/^[0-9a-f]{20}$/), name, email, emailVerified })
  })

  it('knows somebody again, and apart from others', async () => {
    const subjects: string[] = []
    for (const person of ['ada', 'ben', 'ada']) {
      const { flow, back } = await begun(local, { person })
      subjects.push((await local.finish({ ...flow, ...back })).subject)
    }
    expect(subjects[2]).toBe(subjects[0])
    expect(subjects[1]).not.toBe(subjects[0])
  })

  it('does not mind at which of our addresses the callback arrived', async () => {
    const { flow, back } = await begun()
    const url = new URL(`http://10.0.0.1:8080/behind/a/proxy${back.url.search}`)
    expect((await local.finish({ ...flow, url })).email).toBe('ada@example.com')
  })

  it('takes a callback that was posted', async () => {
    const flow = { ...newFlowSecrets(), redirectUri }
    const address = await local.start(flow)
    address.searchParams.set('response_mode', 'form_post')
    const back = await signIn(address, { person: 'ben' })
    expect(back.url.href).toBe(redirectUri)
    expect((await local.finish({ ...flow, ...back })).email).toBe('ben@example.com')
  })

  it('says that somebody said no', async () => {
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
    ['no provider, though this one always names itself', { iss: null }, 'wrong-issuer'],
    ['no code', { code: null }, 'wrong-answer'],
    ['a code that nobody gave', { code: 'made-up' }, 'wrong-code'],
    ['a token, which was not asked for', { id_token: 'a.b.c' }, 'wrong-token'],
    ['another refusal', { code: null, error: 'login_required' }, 'refused'],
    ['a refusal that is no word', { code: null, error: '<script>' }, 'refused'],
  ])('refuses a callback with %s', async (_what, changes, reason) => {
    const { flow, back } = await begun()
    const error = await local
      .finish({ ...flow, ...changed(back, changes) })
      .catch((thrown: unknown) => thrown)
    expect(error).toMatchObject({ name: 'IdentityRefusedError', reason })
    expect(JSON.stringify(error)).not.toContain('<')
  })

  it('refuses a callback that says two things', async () => {
    const { flow, back } = await begun()
    const url = new URL(`${back.url}&code=another`)
    await expect(local.finish({ ...flow, url })).rejects.toMatchObject({ reason: 'wrong-answer' })
  })

  it('calls a provider that says it is down unavailable', async () => {
    const { flow, back } = await begun()
    const down = changed(back, { code: null, error: 'temporarily_unavailable' })
    await expect(local.finish({ ...flow, ...down })).rejects.toMatchObject({
      name: 'IdentityUnavailableError',
      reason: 'provider-error',
    })
  })

  it('refuses a code that was used', async () => {
    const { flow, back } = await begun()
    await local.finish({ ...flow, ...back })
    await expect(local.finish({ ...flow, ...back })).rejects.toMatchObject({ reason: 'wrong-code' })
  })

  it('lets only one of two callbacks with the same code through', async () => {
    const { flow, back } = await begun()
    const both = await Promise.allSettled([
      local.finish({ ...flow, ...back }),
      local.finish({ ...flow, ...back }),
    ])
    expect(both.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected'])
  })

  it('refuses the code of a sign-in that another browser began', async () => {
    const mine = await begun()
    const theirs = await begun(local, { person: 'ben' })
    const { searchParams } = theirs.back.url
    const mixed = changed(mine.back, { code: searchParams.get('code') })
    await expect(local.finish({ ...mine.flow, ...mixed })).rejects.toMatchObject({ reason: 'wrong-code' })
  })

  it('refuses the answer of one provider at another', async () => {
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
    ['a time that is over', 'expired', 'jwt-timestamp-check-failed exp'],
    ['a time to come', 'from-the-future', 'jwt-timestamp-check-failed iat'],
    ['another subject than was signed', 'altered', 'invalid-response'],
    ['no signature', 'unsigned', 'invalid-response'],
    ['the signature of another key', 'other-key', 'invalid-response'],
    ['the signature of a key nobody knows', 'unknown-key', 'key-selection-failed'],
  ])('refuses a token with %s', async (_what, fault, detail) => {
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

  it('refuses an answer without a token', async () => {
    const { flow, back } = await begun()
    await spoilNext('without-token')
    await expect(local.finish({ ...flow, ...back })).rejects.toMatchObject({ name: 'IdentityRefusedError' })
  })

  it('says that the provider failed', async () => {
    const { flow, back } = await begun()
    await spoilNext('server-error')
    await expect(local.finish({ ...flow, ...back })).rejects.toMatchObject({
      name: 'IdentityUnavailableError',
      reason: 'provider-error',
      detail: 'status 503',
    })
  })

  it('says that the provider is too slow, and that it is gone', async () => {
    const own = await start()
    const patient = localProvider({ issuer: own.identityUrl })
    const hasty = localProvider({ issuer: own.identityUrl }, { timeoutSeconds: 0.1 })
    const [first, second] = [await begun(patient), await begun(patient)]
    await spoilNext('slow', own)
    await expect(hasty.finish({ ...first.flow, ...first.back })).rejects.toMatchObject({
      name: 'IdentityUnavailableError',
      reason: 'timeout',
    })
    await own.stop()
    await expect(patient.finish({ ...second.flow, ...second.back })).rejects.toMatchObject({
      name: 'IdentityUnavailableError',
      reason: 'unreachable',
    })
  })

  it('says that the provider does not take our secret', async () => {
    const provider = localProvider({ clientSecret: 'wrong' })
    const { flow, back } = await begun(provider)
    await expect(provider.finish({ ...flow, ...back })).rejects.toMatchObject({
      name: 'IdentityUnavailableError',
      reason: 'misconfigured',
    })
  })

  it('reads the keys anew after meeting one it does not know', async () => {
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
    const told = `${error.stack}${JSON.stringify(error)}`
    for (const secret of [
      flow.state,
      flow.nonce,
      flow.codeVerifier,
      back.url.searchParams.get('code') ?? '',
    ]) {
      expect(told).not.toContain(secret)
    }
    expect(told).not.toContain('eyJ')
  })
})
