import { wireApp } from '@tidings/client/testing/wire-samples'
import { afterEach, expect, it, vi } from 'vitest'
import { createModals } from './index.ts'

afterEach(() => {
  vi.unstubAllGlobals()
  vi.restoreAllMocks()
})

it('rejects the profile of a visitor', async () => {
  const { openModal } = createModals({ getCurrentMember: async () => ({ data: null }) })
  await expect(openModal('PROFILE')).rejects.toThrow('Member not logged in')
})

it('resolves a dialog that is closed while it loads', async () => {
  const { openModal, hideModal } = createModals({})
  const result = openModal('LOGIN')
  hideModal()
  expect(await result).toEqual({ type: 'CLOSED', data: {} })
})

it('knows the app as soon as it has been read', async () => {
  const app = wireApp()
  const { knownApp, prepare } = createModals({ getApp: async () => ({ data: app }) })
  expect(knownApp()).toBeUndefined()
  await prepare()
  expect(knownApp()).toBe(app)
})

it('warns the developer of a page with an unknown origin or key, and says what to check', async () => {
  const warnings: unknown[][] = []
  vi.spyOn(console, 'warn').mockImplementation((...texts) => warnings.push(texts))
  const refusal = { code: 'app-not-found', message: 'No app has this public key.' }
  const { openModal, hideModal } = createModals({ getApp: () => Promise.reject(refusal) })
  const result = openModal('LOGIN')
  await vi.waitFor(() => expect(warnings).toHaveLength(1))
  expect(warnings[0]?.join(' ')).toBe(
    "The dialogs couldn't read the app's configuration: No app has this public key. " +
      "Check the public key, and that ALLOWED_ORIGINS or the app's allowedOrigins include https://reader.example.",
  )
  hideModal()
  expect((await result).type).toBe('CLOSED')
})

it("asks the client's API for the challenge of a sign-up", async () => {
  const requested = Promise.withResolvers<unknown>()
  vi.stubGlobal('fetch', async (address: unknown) => {
    requested.resolve(address)
    return Response.json({}, { status: 503 })
  })
  const captcha = { captchaRequired: true, captcha: { kind: 'altcha', siteKey: null } }
  const app = { ...wireApp(), ...captcha }
  const { openModal, hideModal } = createModals({
    apiBase: 'https://api.example',
    signupMemberEmailPassword: () => Promise.reject(new Error('unused')),
  })
  const result = openModal('SIGNUP', { app })
  expect(await requested.promise).toBe('https://api.example/auth/captcha/challenge')
  hideModal()
  expect((await result).type).toBe('CLOSED')
})

it('moves the focus into a dialog before its first frame, so that no key is lost', async () => {
  vi.stubGlobal('requestAnimationFrame', () => 0)
  const { openModal, hideModal } = createModals({})
  const result = openModal('LOGIN', { app: wireApp() })
  const input = await vi.waitUntil(() => document.body.lastElementChild?.shadowRoot?.querySelector('input'), {
    interval: 1,
  })
  expect(input.getRootNode()).toHaveProperty('activeElement', input)
  hideModal()
  expect((await result).type).toBe('CLOSED')
})
