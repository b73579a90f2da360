import type { BrowserContext } from '@playwright/test'

/**
 * Says that a browser is going to report a refusal, once: an answer of this status, a call that it keeps from the page
 * or a socket that does not open.
 */
export type ExpectRefusal = (what: number | 'a call' | 'a socket') => void

export type Consoles = ReturnType<typeof createConsoles>

/** Listens to what browsers write to their consoles, and compares it with what was to be expected. */
export function createConsoles() {
  const reported: string[] = []
  const expected: string[] = []

  function note(text: string): void {
    const kind = kindOf(text)
    if (kind !== null) reported.push(kind)
  }

  const expectRefusal: ExpectRefusal = (what) => {
    expected.push(String(what))
  }

  return {
    watch(context: BrowserContext): void {
      context.on('console', (message) => {
        if (message.type() === 'error') note(message.text())
      })
      context.on('weberror', (problem) => note(problem.error().message))
    },
    expectRefusal,
    reported: () => reported.toSorted(),
    expected: () => expected.toSorted(),
  }
}

/** A report in the words of `expectRefusal`, or as it is; null for one that only repeats what was said of a call. */
function kindOf(text: string): string | null {
  const status = /server responded with a status of (\d+)/.exec(text)?.[1]
  if (status !== undefined) return status
  if (text.includes('blocked by CORS policy')) return 'a call'
  if (text.includes('net::ERR_FAILED')) return null
  return text.startsWith('WebSocket connection') ? 'a socket' : text
}
