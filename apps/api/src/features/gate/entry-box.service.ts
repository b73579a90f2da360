import type { RateLimits } from '#http/limits/rate-limits.ts'
import type { Database } from '#platform/database.ts'
import { type Contact, parseContact } from './contact.ts'
import { storeContact } from './contacts.repository.ts'
import { fail } from './gate.errors.ts'

type Deps = { database: Database; rateLimits: RateLimits; phoneRegion: string }

export type EntryBoxService = ReturnType<typeof createEntryBoxService>

/** Creates the service of the entry box on the landing page. */
export function createEntryBoxService({ database, rateLimits, phoneRegion }: Deps) {
  return {
    /** Stores an email address or phone number and returns which it is. Throws `invalid-contact`. */
    async enter(text: string, address: string): Promise<Contact['kind']> {
      await rateLimits.consume('entryBox', address)
      const contact = parseContact(text, phoneRegion)
      if (contact === null) throw fail('invalid-contact')
      await storeContact(database.db, contact)
      return contact.kind
    },
  }
}
