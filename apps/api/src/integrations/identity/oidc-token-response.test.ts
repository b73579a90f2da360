import type { Emulators } from '@tidings/emulators/emulators'
import { freePort } from '@tidings/launcher/free-port'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import {
  createOidcProvider,
  signInUntilCallback,
  spoilNextToken,
  startIdentityEmulator,
} from '#test/sign-in/oidc-sign-in.ts'
import type { IdentityProvider } from './identity-provider.ts'

let emulators: Emulators
let local: IdentityProvider
beforeAll(async () => {
  emulators = await startIdentityEmulator()
  local = createOidcProvider(emulators.identityUrl)
})
afterAll(() => emulators.stop())

describe('a token response', () => {
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
    const { flow, back } = await signInUntilCallback(local)
    await spoilNextToken(fault, emulators)
    await expect(local.finish({ ...flow, ...back })).rejects.toMatchObject({
      name: 'IdentityRefusedError',
      reason: 'wrong-token',
      detail,
    })
    const again = await signInUntilCallback(local)
    expect((await local.finish({ ...again.flow, ...again.back })).email).toBe('ada@example.com')
  })

  it('rejects a response without a token', async () => {
    const { flow, back } = await signInUntilCallback(local)
    await spoilNextToken('without-token', emulators)
    await expect(local.finish({ ...flow, ...back })).rejects.toMatchObject({ name: 'IdentityRefusedError' })
  })

  it('reports a failed response', async () => {
    const { flow, back } = await signInUntilCallback(local)
    await spoilNextToken('server-error', emulators)
    await expect(local.finish({ ...flow, ...back })).rejects.toMatchObject({
      name: 'IdentityUnavailableError',
      reason: 'provider-error',
      detail: 'status 503',
    })
  })

  it('reports a slow and an unreachable provider', async () => {
    const own = await startIdentityEmulator()
    const provider = createOidcProvider(own.identityUrl)
    const shortTimeout = createOidcProvider(own.identityUrl, {}, { timeoutSeconds: 0.1 })
    const [first, second] = [await signInUntilCallback(provider), await signInUntilCallback(provider)]
    await spoilNextToken('slow', own)
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
    const provider = createOidcProvider(emulators.identityUrl, { clientSecret: 'wrong' })
    const { flow, back } = await signInUntilCallback(provider)
    await expect(provider.finish({ ...flow, ...back })).rejects.toMatchObject({
      name: 'IdentityUnavailableError',
      reason: 'misconfigured',
    })
  })

  it('reloads the keys after an unknown one', async () => {
    const port = await freePort()
    const first = await startIdentityEmulator(port)
    const provider = createOidcProvider(first.identityUrl)
    const before = await signInUntilCallback(provider)
    await provider.finish({ ...before.flow, ...before.back })
    await first.stop()
    const second = await startIdentityEmulator(port)
    const [lost, found] = [await signInUntilCallback(provider), await signInUntilCallback(provider)]
    await expect(provider.finish({ ...lost.flow, ...lost.back })).rejects.toMatchObject({
      reason: 'wrong-token',
    })
    expect((await provider.finish({ ...found.flow, ...found.back })).email).toBe('ada@example.com')
    await second.stop()
  })

  it('keeps secrets out of its errors', async () => {
    const { flow, back } = await signInUntilCallback(local)
    await spoilNextToken('wrong-nonce', emulators)
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
