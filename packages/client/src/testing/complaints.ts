import networkLog from 'node:console'
import { expect, vi } from 'vitest'

const complaints: string[] = []

function note(...words: unknown[]): void {
  complaints.push(words.map(String).join(' '))
}

// The DOM's own reports of a call that is refused or does not arrive, as a browser has them; tests bring those about on
// purpose.
const failedCall = /^(?:(?:GET|POST|PATCH|DELETE) https:\/\/\S+ \d{3} \(.*\)|TypeError: Network error)$/

// For as long as the file runs: some of the DOM's reports come when their test is already over.
networkLog.error = (...words: unknown[]) => {
  if (!failedCall.test(String(words[0]))) note(...words)
}

/** Begins to listen to what is written to the console. */
export function hearComplaints(): void {
  complaints.length = 0
  vi.spyOn(console, 'error').mockImplementation(note)
  vi.spyOn(console, 'warn').mockImplementation(note)
  // Where a browser writes what a listener of the page throws; this DOM has none.
  vi.stubGlobal('reportError', note)
}

/** Fails the test if anything was written there. */
export function expectNoComplaints(): void {
  expect(complaints).toEqual([])
}
