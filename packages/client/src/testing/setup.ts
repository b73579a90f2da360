import networkLog from 'node:console'
import { afterAll, afterEach, beforeAll, vi } from 'vitest'
import { apiServer } from './fake-api.ts'

// The DOM's own report of every refused call, as a browser has it; tests bring those about on purpose. Some come when
// the test is already over.
networkLog.error = () => undefined

beforeAll(() => apiServer.listen({ onUnhandledFrame: 'error' }))
afterAll(() => apiServer.close())

afterEach(() => {
  vi.useRealTimers()
  vi.restoreAllMocks()
  vi.unstubAllGlobals()
  apiServer.resetHandlers()
  if (typeof window !== 'undefined') clearBrowser()
})

function clearBrowser(): void {
  window.localStorage.clear()
  const past = new Date(0).toUTCString()
  for (const cookie of document.cookie.split('; ')) {
    Reflect.set(document, 'cookie', `${cookie}; path=/; expires=${past}`)
  }
}
