import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { adaptCalls } from './adapt-calls.ts'

/** A published client, whose promise settles only when the page of its window posts a message. */
function createClient() {
  const message = Promise.withResolvers<{ data: object }>()
  const open = () => {
    window.open('https://api.example/auth-provider', 'window')
    return message.promise
  }
  const client = { loginWithProvider: open, signupWithProvider: open, connectProvider: open }
  return { calls: adaptCalls(client), post: () => message.resolve({ data: { providers: [] } }) }
}

const poll = (times: number) => vi.advanceTimersByTimeAsync(500 * times)
const google = { provider: 'google' }

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
})
afterEach(() => {
  vi.useRealTimers()
  vi.unstubAllGlobals()
})

describe.each(['loginWithProvider', 'signupWithProvider', 'connectProvider'] as const)('%s', (name) => {
  it('fails when the browser blocks its window', async () => {
    vi.stubGlobal('open', () => null)
    await expect(createClient().calls[name]?.(google)).rejects.toEqual({ code: 'popup-blocked' })
  })

  it('fails when the reader closes its window', async () => {
    const opened = { closed: false }
    const open = vi.fn(() => opened)
    vi.stubGlobal('open', open)
    const outcome = Promise.allSettled([createClient().calls[name]?.(google)])
    expect(open.mock.calls).toEqual([['https://api.example/auth-provider', 'window']])
    expect(window.open).toBe(open)
    await poll(1)
    opened.closed = true
    await poll(2)
    expect(await outcome).toEqual([{ status: 'rejected', reason: { code: 'popup-closed' } }])
    expect(vi.getTimerCount()).toBe(0)
  })

  it('waits for the message of a window that has just closed', async () => {
    const opened = { closed: true }
    vi.stubGlobal('open', () => opened)
    const { calls, post } = createClient()
    const outcome = calls[name]?.(google)
    await poll(1)
    post()
    expect(await outcome).toEqual({ data: { providers: [] } })
    expect(vi.getTimerCount()).toBe(0)
  })
})

it('waits for a window that the client has opened before', async () => {
  const calls = adaptCalls({ connectProvider: async () => ({ data: { providers: [google] } }) })
  expect(await calls.connectProvider?.(google)).toEqual({ data: { providers: [google] } })
})
