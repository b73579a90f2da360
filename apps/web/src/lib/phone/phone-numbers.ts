import { normalizePhone } from '@tidings/contracts/membership/typed-text'
import { ShownError } from '../api/error-text.ts'
import { loadChunk } from '../chunk.ts'

export type PhoneLibrary = typeof import('./phone-library.ts')

let loadedLibrary: PhoneLibrary | null = null

/** Loads the phone library, once for all screens; null when it can't be loaded. */
export async function loadPhoneLibrary(): Promise<PhoneLibrary | null> {
  loadedLibrary = await loadChunk(() => import('./phone-library.ts')).catch(() => null)
  return loadedLibrary
}

/** Returns whether a text can't be a phone number; false until the phone library has loaded. */
export function isWrongPhone(text: string, region: string): boolean {
  const typed = normalizePhone(text)
  return loadedLibrary !== null && typed !== '' && loadedLibrary.toE164(typed, region) === null
}

/** Says what to do about a number that is too short, too long or no number. */
export const invalidPhoneText =
  "This isn't a full phone number. For a number of another country, start with + and the country code."

/** A text can't be a phone number. */
class PhoneNumberError extends ShownError {
  readonly code = 'invalid-phone'

  constructor() {
    super('Check your phone number.')
  }
}

/** How long saving waits for the library; the server keeps a number as it is sent. */
const loadTimeoutMs = 5000

/** Loads the phone library; null when that takes too long. */
export async function phoneLibraryInTime(): Promise<PhoneLibrary | null> {
  const timeout = Promise.withResolvers<null>()
  const timer = setTimeout(() => timeout.resolve(null), loadTimeoutMs)
  const library = await Promise.race([loadPhoneLibrary(), timeout.promise])
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
