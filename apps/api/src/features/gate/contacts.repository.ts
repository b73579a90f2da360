import type { Db } from '#platform/database.ts'
import type { Contact } from './contact.ts'

/** Stores a contact once, however often it is left. */
export async function keepContact(db: Db, contact: Contact): Promise<void> {
  await db.readerContact.createMany({ data: [contact], skipDuplicates: true })
}
