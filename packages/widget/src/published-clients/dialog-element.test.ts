import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import type { DialogRequest } from '../dialogs/modals.ts'
import { catalog } from '../translations/en.ts'
import { adaptCalls } from './adapt-calls.ts'
import { registerDialogElement } from './dialog-element.ts'

const name = 'test-prebuilt-ui'
const broken = 'test-broken-ui'
let requests: DialogRequest[]
let results: unknown[]

registerDialogElement({
  name,
  load: async () => ({
    openDialog(request) {
      requests.push(request)
      return { close() {} }
    },
    prepareCatalog: async () => catalog,
  }),
})

beforeEach(() => {
  requests = []
  results = []
  vi.stubGlobal('reportError', (error: Error) => results.push(error.message))
})
afterEach(() => {
  document.body.replaceChildren()
  vi.unstubAllGlobals()
})

/** Does what a published client does to open a dialog. */
function openAsClient(display: string, client: object, params: object = {}, tag = name): HTMLElement {
  vi.stubGlobal('$memberstackDom', client)
  const element = document.createElement(tag)
  document.body.append(element)
  Object.assign(element, { display, params, onSuccess: (result: unknown) => results.push(result) })
  return element
}

describe('the element of a published client', () => {
  it('opens the dialog, reports results and CLOSED, and stays in the page', async () => {
    const element = openAsClient('forgot_password', {}, { hideCloseButton: true })
    await vi.waitFor(() => expect(requests).toHaveLength(1))
    const [request] = requests
    expect(request).toMatchObject({
      type: 'FORGOT_PASSWORD',
      params: { hideCloseButton: true },
      host: element,
    })
    request?.onResult({ type: 'PASSWORD_RESET', data: {} })
    request?.onClosed()
    expect(results).toEqual([
      { type: 'PASSWORD_RESET', data: {} },
      { type: 'CLOSED', data: {} },
    ])
    expect(element.isConnected).toBe(true)
  })

  it('reports nothing when the client has removed it', async () => {
    const element = openAsClient('login', {})
    await vi.waitFor(() => expect(requests).toHaveLength(1))
    element.remove()
    requests[0]?.onClosed()
    document.body.append(element)
    expect(results).toEqual([])
    expect(requests).toHaveLength(1)
  })

  it('opens a profile with the member, and closes it without a session', async () => {
    openAsClient('profile', { getCurrentMember: async () => ({ data: { id: 'mem_ada' } }) })
    await vi.waitFor(() => expect(requests[0]?.member).toEqual({ id: 'mem_ada' }))
    openAsClient('profile', { getCurrentMember: async () => ({ data: null }) })
    await vi.waitFor(() => expect(results).toEqual(['Member not logged in', { type: 'CLOSED', data: {} }]))
  })

  it.each([
    [{}, 'Couldn’t open. Check your connection and try again.'],
    [{ app: { translations: { open_failed: 'No way in' } } }, 'No way in'],
    [
      { translations: { open_failed: 'Closed' }, app: { translations: { open_failed: 'No way in' } } },
      'Closed',
    ],
  ])('closes with %j, and says what to do, when the code of the dialogs is missing', async (params, text) => {
    registerDialogElement({ name: broken, load: () => Promise.reject(new Error('Loading chunk failed')) })
    openAsClient('login', {}, params, broken)
    await vi.waitFor(() => expect(results).toEqual(['Loading chunk failed', { type: 'CLOSED', data: {} }]))
    const status = document.body.lastElementChild?.shadowRoot?.querySelector('[role=status]')
    expect(status?.textContent).toBe(text)
  })

  it('reads the app from the parameters or from the client', async () => {
    openAsClient('login', { getApp: async () => ({ data: { name: 'Client' } }) })
    await vi.waitFor(() => expect(requests).toHaveLength(1))
    openAsClient('login', {}, { app: { name: 'Given' } })
    await vi.waitFor(() => expect(requests).toHaveLength(2))
    expect(await Promise.all(requests.map(({ getApp }) => getApp()))).toEqual([
      { name: 'Client' },
      { name: 'Given' },
    ])
  })

  it('closes an unknown dialog, and can be registered twice', async () => {
    registerDialogElement({ name, load: () => Promise.reject(new Error('unused')) })
    openAsClient('other', {})
    await vi.waitFor(() =>
      expect(results).toEqual(["There is no dialog 'other'", { type: 'CLOSED', data: {} }]),
    )
  })
})

describe('adaptCalls', () => {
  it('calls the methods on the client and returns data with the text to show', async () => {
    const client = {
      replies: [
        { data: 1, message: 'Saved.' },
        { data: 2, _internalUseOnly: { message: 'Stored.' } },
        { data: 3, message: '' },
        undefined,
      ],
      async logout() {
        return this.replies.shift()
      },
    }
    const { logout, getApp } = adaptCalls(client)
    expect(getApp).toBeUndefined()
    expect([await logout?.(), await logout?.(), await logout?.(), await logout?.()]).toEqual([
      { data: 1, message: 'Saved.' },
      { data: 2, message: 'Stored.' },
      { data: 3 },
      { data: undefined },
    ])
  })

  it('passes parameters and errors on, and listens to the session', async () => {
    const given: unknown[] = []
    const refusal = { code: 'invalid-credentials', message: 'Wrong.' }
    const calls = adaptCalls({
      updateMember: (...parameters: unknown[]) => {
        given.push(...parameters)
        return Promise.reject(refusal)
      },
      onAuthChange: (callback: (member: null) => void) => {
        callback(null)
        return { unsubscribe: () => given.push('unsubscribed') }
      },
    })
    await expect(calls.updateMember?.({ customFields: { name: 'Ada' } })).rejects.toBe(refusal)
    calls.onAuthChange?.((member) => given.push(member))?.unsubscribe()
    expect(given).toEqual([{ customFields: { name: 'Ada' } }, null, 'unsubscribed'])
    expect(adaptCalls(undefined)).toEqual({})
  })
})
