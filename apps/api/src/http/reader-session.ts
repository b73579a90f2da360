import { createSigner } from '../platform/signing.ts'

/** The cookie by which a reader's likes are known to be one reader's. */
export const readerCookie = 'tidings_reader'

/** A year, in seconds. */
export const readerCookieSeconds = 365 * 24 * 3600

export type ReaderSessions = {
  /** The reader's id, or null when there is none or it was not signed here. */
  read(cookieValue: string | undefined): string | null
  /** The cookie value for a reader's id. */
  write(readerId: string): string
}

const uuidPattern = /^[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}$/

export function createReaderSessions(secret: string): ReaderSessions {
  const signer = createSigner(secret, 'reader')
  return {
    read(cookieValue) {
      const value = cookieValue === undefined ? null : signer.verify(cookieValue)
      return value !== null && uuidPattern.test(value) ? value : null
    },
    write: (readerId) => signer.sign(readerId),
  }
}
