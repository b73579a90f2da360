import networkLog from 'node:console'
import { expect, vi } from 'vitest'

const consoleErrors: string[] = []

/** Starts to record the errors and warnings that the page writes to the console. */
export function recordConsoleErrors(): void {
  consoleErrors.length = 0
  const record = (...words: unknown[]) => consoleErrors.push(words.map(String).join(' '))
  vi.spyOn(console, 'error').mockImplementation(record)
  vi.spyOn(console, 'warn').mockImplementation(record)
  // happy-dom logs every failed request, as a browser does; tests cause those on purpose.
  vi.spyOn(networkLog, 'error').mockImplementation(() => undefined)
}

/** Removes the console errors that a test caused on purpose; there must be at least one. */
export function expectConsoleErrors(pattern: RegExp): void {
  const expected = consoleErrors.filter((error) => pattern.test(error))
  expect(expected).not.toEqual([])
  consoleErrors.splice(0, consoleErrors.length, ...consoleErrors.filter((error) => !pattern.test(error)))
}

/** Fails the test on any other console error. */
export function expectNoConsoleErrors(): void {
  expect(consoleErrors).toEqual([])
}
