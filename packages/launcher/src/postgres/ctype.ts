import pg from 'pg'

/**
 * Values of LC_CTYPE with which full-text search separates words at every sign, best first. Systems differ in those they
 * have. With `C`, every character outside ASCII is a letter.
 */
export const ctypes = ['C.UTF-8', 'en_US.UTF-8', 'C']

/**
 * Gives a database that an earlier version created with `C` another LC_CTYPE. Nothing stored depends on it except the
 * words of the search, which the site then indexes again: the order of texts comes from the builtin provider.
 */
export async function repairCtype(adminUrl: string, name: string, onProgress: (line: string) => void) {
  const client = new pg.Client({ connectionString: adminUrl })
  await client.connect()
  try {
    const { rowCount: isWrong } = await client.query(
      `select 1 from pg_database where datname = $1 and datctype = 'C' and datlocprovider = 'b'`,
      [name],
    )
    const ctype = isWrong ? await findCtype(client) : undefined
    if (ctype === undefined) return
    // A session keeps the value that it began with, so no other one may be indexing.
    const { rowCount } = await client.query(
      `update pg_database set datctype = $2 where datname = $1 and datctype = 'C'
         and not exists (select 1 from pg_stat_activity where datname = $1)`,
      [name, ctype],
    )
    if (rowCount) onProgress('Preparing the database for words in every language')
  } finally {
    await client.end()
  }
}

/** Returns the first of the values that this system has; undefined if there is only `C`. */
async function findCtype(client: pg.Client): Promise<string | undefined> {
  for (const ctype of ctypes) {
    if (ctype === 'C') return undefined
    // Accepts what the system has, as LC_CTYPE of a database does.
    const isKnown = await client.query(`select set_config('lc_time', $1, false)`, [ctype]).then(
      () => true,
      () => false,
    )
    if (isKnown) return ctype
  }
  return undefined
}
