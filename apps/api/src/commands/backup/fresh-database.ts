import { setTimeout as wait } from 'node:timers/promises'
import { z } from 'zod'
import { besideUrl, databaseNameOf, readRows, withConnection } from './connection.ts'
import { quotedName } from './tables.ts'

const localeSchema = z.object({
  owner: z.string(),
  collate: z.string(),
  ctype: z.string(),
  provider: z.enum(['b', 'c', 'i']),
  locale: z.string().nullable(),
})
const selectLocale = `
  SELECT pg_get_userbyid(datdba)::text AS owner, datcollate AS collate, datctype AS ctype,
    datlocprovider::text AS provider, datlocale AS locale
  FROM pg_database WHERE datname = current_database()`

/** Creates an empty database with the locale of the site's, beside it. */
export async function createFreshDatabase(siteUrl: string, name: string): Promise<string> {
  await withConnection(siteUrl, async (client) => {
    const [found] = await readRows(client, localeSchema, selectLocale)
    if (found === undefined) throw new Error('The database has no row of its own.')
    const text = (value: string) => client.escapeLiteral(value)
    const locale = text(found.locale ?? '')
    const provider = {
      b: `LOCALE_PROVIDER builtin BUILTIN_LOCALE ${locale}`,
      c: 'LOCALE_PROVIDER libc',
      i: `LOCALE_PROVIDER icu ICU_LOCALE ${locale}`,
    }[found.provider]
    await client.query(
      `CREATE DATABASE ${quotedName(name)} OWNER ${quotedName(found.owner)} TEMPLATE template0 ENCODING 'UTF8'
       LC_COLLATE ${text(found.collate)} LC_CTYPE ${text(found.ctype)} ${provider}`,
    )
  })
  return besideUrl(siteUrl, name)
}

export async function dropDatabase(siteUrl: string, name: string): Promise<void> {
  await withConnection(siteUrl, (client) =>
    client.query(`DROP DATABASE IF EXISTS ${quotedName(name)} WITH (FORCE)`),
  )
}

/** Gives the fresh database the site's name, and the site's another one, at once or not at all. */
export async function swapDatabases(siteUrl: string, fresh: string, former: string): Promise<void> {
  const site = databaseNameOf(siteUrl)
  const adminUrl = besideUrl(siteUrl, 'postgres')
  let isDone = false
  const swap = withConnection(adminUrl, async (client) => {
    await client.query('BEGIN')
    // Waits for a few seconds until every connection has ended, and lets no new one in.
    await client.query(`ALTER DATABASE ${quotedName(site)} RENAME TO ${quotedName(former)}`)
    await client.query(`ALTER DATABASE ${quotedName(fresh)} RENAME TO ${quotedName(site)}`)
    await client.query('COMMIT')
  }).finally(() => {
    isDone = true
  })
  const disconnect = withConnection(adminUrl, async (client) => {
    while (!isDone) {
      await client.query('SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = ANY ($1)', [
        [site, fresh],
      ])
      await wait(100)
    }
  })
  await Promise.all([swap, disconnect])
}
