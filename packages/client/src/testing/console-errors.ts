import networkLog from 'node:console'
import { expect, vi } from 'vitest'

const consoleErrors: string[] = []

function note(...words: unknown[]): void {
  consoleErrors.push(words.map(String).join(' '))
}

// The DOM's reports of failed calls, which tests cause on purpose.
const failedCall = /^(?:(?:GET|POST|PATCH|DELETE) https:\/\/\S+ \d{3} \(.*\)|TypeError: Network error)$/

// Never restored, because the DOM reports some errors after their test has ended.
networkLog.error = (...words: unknown[]) => {
  if (!failedCall.test(String(words[0]))) note(...words)
}

/** Collects what is written to the console. */
export function collectConsoleErrors(): void {
  consoleErrors.length = 0
  vi.spyOn(console, 'error').mockImplementation(note)
  vi.spyOn(console, 'warn').mockImplementation(note)
  // A browser reports errors of listeners here. This DOM has no such function.
  vi.stubGlobal('reportError', note)
}

/** Fails the test if anything was written to the console. */
export function expectNoConsoleErrors(): void {
  expect(consoleErrors).toEqual([])
}
