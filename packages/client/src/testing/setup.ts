import { afterAll, afterEach, beforeAll, beforeEach, vi } from 'vitest'
import { expectNoComplaints, hearComplaints } from './complaints.ts'
import { apiServer } from './fake-api.ts'

beforeAll(() => apiServer.listen({ onUnhandledFrame: 'error' }))
afterAll(() => apiServer.close())
beforeEach(hearComplaints)

afterEach(() => {
  vi.useRealTimers()
  vi.restoreAllMocks()
  vi.unstubAllGlobals()
  apiServer.resetHandlers()
  if (typeof window !== 'undefined') clearBrowser()
  expectNoComplaints()
})

function clearBrowser(): void {
  window.localStorage.clear()
  const past = new Date(0).toUTCString()
  for (const cookie of document.cookie.split('; ')) {
    Reflect.set(document, 'cookie', `${cookie}; path=/; expires=${past}`)
  }
}
