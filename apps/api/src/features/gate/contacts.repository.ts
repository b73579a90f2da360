import type { Db } from '#platform/database.ts'
import type { Contact } from './contact.ts'

/** Stores a contact unless it is stored already. */
export async function storeContact(db: Db, contact: Contact): Promise<void> {
  await db.readerContact.createMany({ data: [contact], skipDuplicates: true })
}
