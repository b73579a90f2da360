import { createSigner } from '#platform/signing.ts'

/** The cookie that identifies a reader for likes. */
export const readerCookie = 'tidings_reader'

/** A year, in seconds. */
export const readerCookieSeconds = 365 * 24 * 3600

export type ReaderSessions = ReturnType<typeof createReaderSessions>

const uuidPattern = /^[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}$/

export function createReaderSessions(secret: string) {
  const signer = createSigner(secret, 'reader')
  return {
    /** Returns the reader's id; null when there is none or its signature is invalid. */
    read(cookieValue: string | undefined): string | null {
      const value = cookieValue === undefined ? null : signer.verify(cookieValue)
      return value !== null && uuidPattern.test(value) ? value : null
    },
    write: (readerId: string) => signer.sign(readerId),
  }
}
