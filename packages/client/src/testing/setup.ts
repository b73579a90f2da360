import { afterAll, afterEach, beforeAll, beforeEach, vi } from 'vitest'
import { collectConsoleErrors, expectNoConsoleErrors } from './console-errors.ts'
import { apiServer } from './fake-api.ts'

beforeAll(() => apiServer.listen({ onUnhandledFrame: 'error' }))
afterAll(() => apiServer.close())
beforeEach(collectConsoleErrors)

afterEach(() => {
  vi.useRealTimers()
  vi.restoreAllMocks()
  vi.unstubAllGlobals()
  apiServer.resetHandlers()
  if (typeof window !== 'undefined') clearBrowser()
  expectNoConsoleErrors()
})

function clearBrowser(): void {
  window.localStorage.clear()
  const past = new Date(0).toUTCString()
  for (const cookie of document.cookie.split('; ')) {
    Reflect.set(document, 'cookie', `${cookie}; path=/; expires=${past}`)
  }
}
