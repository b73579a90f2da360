import { setTimeout as wait } from 'node:timers/promises'
import { z } from 'zod'
import { hasErrorCode } from '#platform/system-errors.ts'
import { besideUrl, databaseNameOf, readRows, withConnection } from './connection.ts'
import { BackupError } from './places/backup-error.ts'
import { quotedName } from './tables.ts'

// By name: what a restore creates beside the database, until it takes its place.
export const selectLeftovers = `
  SELECT datname::text AS name FROM pg_database
  WHERE left(datname, length(current_database()) + 9) = current_database() || '_restore_'
    AND substr(datname, length(current_database()) + 10) ~ '^\\d{8}t\\d{6}z$' ORDER BY 1`

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
      await client.query(endConnections, [[site, fresh]])
      await wait(100)
    }
  })
  try {
    await Promise.all([swap, disconnect])
  } catch (error) {
    if (!hasErrorCode(error, inUse)) throw error
    const users = await withConnection(adminUrl, (client) =>
      readRows(client, userSchema, selectUsers, [[site, fresh]]),
    )
    const names = users.map(({ name, role }) => `${name || 'a program'} of the role ${role}`)
    throw new BackupError(
      `The database ${site} is still used by ${names.join(', ') || 'another connection'}, which this role may not end. Stop that, or restore as a superuser. Nothing was changed.`,
    )
  }
}

const inUse = '55006'
const userSchema = z.object({ name: z.string(), role: z.string() })
const selectUsers = `
  SELECT DISTINCT coalesce(application_name, '') AS name, coalesce(usename, '')::text AS role FROM pg_stat_activity
  WHERE datname = ANY ($1)`

// The server ends its own processes, which this role may not end; nor may it those of superusers.
const endConnections = `
  SELECT pg_terminate_backend(pid) FROM pg_stat_activity JOIN pg_roles ON pg_roles.oid = usesysid
  WHERE datname = ANY ($1) AND backend_type = 'client backend' AND pg_has_role(usesysid, 'MEMBER')
    AND (NOT rolsuper OR (SELECT rolsuper FROM pg_roles WHERE rolname = current_user))`

const rightsSchema = z.object({ role: z.string(), mayCreate: z.boolean(), isOwner: z.boolean() })
const selectRights = `
  SELECT rolname::text AS role, rolsuper OR rolcreatedb AS "mayCreate",
    (SELECT pg_has_role(datdba, 'MEMBER') FROM pg_database WHERE datname = current_database()) AS "isOwner"
  FROM pg_roles WHERE rolname = current_user`

/** Throws {@link BackupError} unless the role may create a database and rename the site's. */
export async function checkRights(siteUrl: string): Promise<void> {
  const [rights] = await withConnection(siteUrl, (client) => readRows(client, rightsSchema, selectRights))
  if (rights === undefined) throw new Error('The role has no row.')
  const { role, mayCreate, isOwner } = rights
  const site = quotedName(databaseNameOf(siteUrl))
  const statements = [
    ...(mayCreate ? [] : [`ALTER ROLE ${quotedName(role)} CREATEDB`]),
    ...(isOwner ? [] : [`ALTER DATABASE ${site} OWNER TO ${quotedName(role)}`]),
  ]
  if (statements.length > 0)
    throw new BackupError(
      `A restore needs a new database beside the site's, which the role ${role} may not make. Let a superuser run '${statements.join('; ')}', and try again. Nothing was changed.`,
    )
}

/** Deletes the databases of restores that were killed. No other restore may run. Returns their names. */
export async function dropLeftovers(siteUrl: string): Promise<string[]> {
  const leftovers = await withConnection(siteUrl, (client) =>
    readRows(client, z.object({ name: z.string() }), selectLeftovers),
  )
  for (const { name } of leftovers) await dropDatabase(siteUrl, name)
  return leftovers.map(({ name }) => name)
}
