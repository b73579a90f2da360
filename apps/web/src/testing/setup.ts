import { cleanup, configure } from '@testing-library/react'
import { afterAll, afterEach, beforeAll, beforeEach, vi } from 'vitest'
import { apiServer } from './api-handlers.ts'
import { expectNoConsoleErrors, recordConsoleErrors } from './console-errors.ts'

// The first screen of a file loads its code too, which can be slow on a busy machine.
configure({ asyncUtilTimeout: 20_000 })

/** Without a layout, everything is in view. */
class EverythingIsVisible extends IntersectionObserver {
  readonly #callback: IntersectionObserverCallback

  constructor(callback: IntersectionObserverCallback) {
    super(callback)
    this.#callback = callback
  }

  override observe(target: Element): void {
    const bounds = target.getBoundingClientRect()
    const seen = { isIntersecting: true, intersectionRatio: 1, target, time: 0, rootBounds: null }
    this.#callback([{ ...seen, boundingClientRect: bounds, intersectionRect: bounds }], this)
  }
}
vi.stubGlobal('IntersectionObserver', EverythingIsVisible)

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
