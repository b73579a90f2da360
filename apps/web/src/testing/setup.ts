import { cleanup, configure } from '@testing-library/react'
import { afterAll, afterEach, beforeAll, beforeEach, vi } from 'vitest'
import { apiServer } from './api-handlers.ts'
import { expectNoComplaints, hearComplaints } from './complaints.ts'

// The first screen of a file is loaded with its code, which takes its time on a busy machine.
configure({ asyncUtilTimeout: 20_000 })

beforeAll(() => apiServer.listen({ onUnhandledFrame: 'error' }))
afterAll(() => apiServer.close())
beforeEach(hearComplaints)

afterEach(() => {
  cleanup()
  vi.useRealTimers()
  apiServer.resetHandlers()
  apiServer.events.removeAllListeners()
  window.localStorage.clear()
  window.sessionStorage.clear()
  document.head.replaceChildren()
  Reflect.deleteProperty(window, 'dataLayer')
  try {
    expectNoComplaints()
  } finally {
    vi.restoreAllMocks()
  }
})
