import { normalizePhone } from '@tidings/contracts/membership/typed-text'
import { ShownError } from '../api/error-text.ts'
import { loadChunk } from '../browser/chunk.ts'
import { shownBeforeLibrary } from './shown-before-library.ts'

export type PhoneLibrary = typeof import('./phone-library.ts')

let loadedLibrary: PhoneLibrary | null = null
/** Whether waiting for the library has taken too long, and it is still on its way. */
let isLate = false

/** Returns whether numbers can be checked. */
export function hasPhoneLibrary(): boolean {
  return loadedLibrary !== null
}

/** Loads the phone library, once for all screens; null when it can't be loaded. */
export async function loadPhoneLibrary(): Promise<PhoneLibrary | null> {
  loadedLibrary = await loadChunk(() => import('./phone-library.ts')).catch(() => null)
  isLate = false
  return loadedLibrary
}

/** Returns whether a text can't be a phone number; false until the phone library has loaded. */
export function isWrongPhone(text: string, region: string): boolean {
  const typed = normalizePhone(text)
  return loadedLibrary !== null && typed !== '' && loadedLibrary.toE164(typed, region) === null
}

/** Returns whether a text is a stored number, in whatever form; false while that isn't known. */
export function isSameNumber(text: string, stored: string, region: string): boolean {
  if (text === stored || text === shownBeforeLibrary(stored, region)) return true
  return loadedLibrary !== null && stored !== '' && loadedLibrary.toE164(text, region) === stored
}

/** Says what to do about a number that is too short, too long or no number. */
export const invalidPhoneText =
  'This isn’t a full phone number. For a number of another country, start with + and the country code.'

/** A text can't be a phone number. */
class PhoneNumberError extends ShownError {
  readonly code = 'invalid-phone'

  constructor() {
    super('Check your phone number.')
  }
}

/** How long saving waits for the library; the server keeps a number as it is sent. */
const loadTimeoutMs = 5000

/** Loads the phone library; null when that takes too long, which is waited for once. */
export async function phoneLibraryInTime(): Promise<PhoneLibrary | null> {
  const loading = loadPhoneLibrary()
  if (isLate) return loadedLibrary
  const timeout = Promise.withResolvers<null>()
  const timer = setTimeout(() => {
    isLate = true
    timeout.resolve(null)
  }, loadTimeoutMs)
  const library = await Promise.race([loading, timeout.promise])
  clearTimeout(timer)
  return library
}

/**
 * Returns the number as it is stored: in E.164, or as it was typed while the phone library can't be loaded.
 * @throws {PhoneNumberError}
 */
export async function toStoredPhone(text: string, region: string): Promise<string> {
  const library = await phoneLibraryInTime()
  const typed = normalizePhone(text)
  if (library === null || typed === '') return typed
  const number = library.toE164(typed, region)
  if (number === null) throw new PhoneNumberError()
  return number
}
