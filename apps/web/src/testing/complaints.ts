import networkLog from 'node:console'
import { expect, vi } from 'vitest'

const complaints: string[] = []

/** Begins to listen to what the page writes to the console. */
export function hearComplaints(): void {
  complaints.length = 0
  const note = (...words: unknown[]) => complaints.push(words.map(String).join(' '))
  vi.spyOn(console, 'error').mockImplementation(note)
  vi.spyOn(console, 'warn').mockImplementation(note)
  // The DOM's own report of every refused call, as a browser has it; tests bring those about on purpose.
  vi.spyOn(networkLog, 'error').mockImplementation(() => undefined)
}

/** Takes back the complaints about a failure that the test brought about; there must be some. */
export function expectComplaints(about: RegExp): void {
  const expected = complaints.filter((complaint) => about.test(complaint))
  expect(expected).not.toEqual([])
  complaints.splice(0, complaints.length, ...complaints.filter((complaint) => !about.test(complaint)))
}

/** Fails the test if the page complained about anything else. */
export function expectNoComplaints(): void {
  expect(complaints).toEqual([])
}
