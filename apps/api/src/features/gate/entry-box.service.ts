import type { RateLimits } from '#http/rate-limits.ts'
import type { Database } from '#platform/database.ts'
import { AppError } from '#platform/errors.ts'
import { type Contact, parseContact } from './contact.ts'
import { keepContact } from './contacts.repository.ts'

type Deps = { database: Database; rateLimits: RateLimits; phoneRegion: string }

export type EntryBoxService = {
  /** Keeps the contact and answers its kind; throws `invalid-contact` for what is neither e-mail nor phone. */
  enter(text: string, address: string): Promise<Contact['kind']>
}

/** Takes what readers leave in the landing page's box. */
export function createEntryBoxService({ database, rateLimits, phoneRegion }: Deps): EntryBoxService {
  return {
    async enter(text, address) {
      await rateLimits.consume('entryBox', address)
      const contact = parseContact(text, phoneRegion)
      if (contact === null) {
        throw new AppError(
          'invalid-contact',
          400,
          'Please enter an e-mail address, or a phone number with its area code.',
        )
      }
      await keepContact(database.db, contact)
      return contact.kind
    },
  }
}
