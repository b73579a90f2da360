import { cleanup, configure } from '@testing-library/react'
import { afterAll, afterEach, beforeAll, beforeEach, vi } from 'vitest'
import { apiServer } from './api-handlers.ts'
import { expectNoConsoleErrors, recordConsoleErrors } from './console-errors.ts'

// The first screen of a file loads its code too, which can be slow on a busy machine.
configure({ asyncUtilTimeout: 20_000 })

beforeAll(() => apiServer.listen({ onUnhandledFrame: 'error' }))
afterAll(() => apiServer.close())
beforeEach(recordConsoleErrors)

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
    expectNoConsoleErrors()
  } finally {
    vi.restoreAllMocks()
  }
})
