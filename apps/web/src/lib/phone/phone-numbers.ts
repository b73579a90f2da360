import { loadChunk } from '../chunk.ts'

export type PhoneLibrary = typeof import('./phone-library.ts')

/** Loads the phone library, once for all screens; null when it can't be loaded. */
export async function loadPhoneLibrary(): Promise<PhoneLibrary | null> {
  return await loadChunk(() => import('./phone-library.ts')).catch(() => null)
}

/** How long saving waits for the library; the server keeps a number as it is sent. */
const loadTimeoutMs = 5000

/** Returns the number as it is stored: in E.164, or as it was typed when it is no complete number. */
export async function toStoredPhone(text: string, region: string): Promise<string> {
  const timeout = Promise.withResolvers<null>()
  const timer = setTimeout(() => timeout.resolve(null), loadTimeoutMs)
  const library = await Promise.race([loadPhoneLibrary(), timeout.promise])
  clearTimeout(timer)
  return library?.toE164(text, region) ?? text.trim()
}
