import type { BrowserContext } from '@playwright/test'
import { isMissingIcon } from '../missing-icon.ts'

/** Expects one console error: a response of this status, a request blocked by CORS or a socket that does not open. */
export type ExpectRefusal = (what: number | 'blocked request' | 'refused socket') => void

export type Consoles = ReturnType<typeof createConsoles>

/** Records the console errors of browsers next to the expected ones. */
export function createConsoles() {
  const reported: string[] = []
  const expected: string[] = []

  function record(text: string): void {
    const kind = kindOf(text)
    if (kind !== null) reported.push(kind)
  }

  const expectRefusal: ExpectRefusal = (what) => {
    expected.push(String(what))
  }

  return {
    watch(context: BrowserContext): void {
      context.on('console', (message) => {
        if (message.type() === 'error' && !isMissingIcon(message)) record(message.text())
      })
      context.on('weberror', (problem) => record(problem.error().message))
    },
    expectRefusal,
    reported: () => reported.toSorted(),
    expected: () => expected.toSorted(),
  }
}

/** Returns the kind of an error, or its text; null for an error that only repeats a blocked request. */
function kindOf(text: string): string | null {
  const status = /server responded with a status of (\d+)/.exec(text)?.[1]
  if (status !== undefined) return status
  if (text.includes('blocked by CORS policy')) return 'blocked request'
  if (text.includes('net::ERR_FAILED')) return null
  // Playwright blocks it, except in the tests about it.
  if (text === 'The service worker was not registered') return null
  return text.startsWith('WebSocket connection') ? 'refused socket' : text
}
