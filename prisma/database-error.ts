const reasons: Record<string, (place: string, name: string) => string> = {
  ECONNREFUSED: (place) => `No database is running at ${place}. Start it, or correct DATABASE_URL.`,
  ENOTFOUND: (place) => `The host of ${place} doesn't exist. Correct DATABASE_URL.`,
  ETIMEDOUT: (place) =>
    `The database at ${place} didn't respond in time. Check that this machine can reach it.`,
  '28P01': (place) => `The database at ${place} rejected the user or password in DATABASE_URL.`,
  '28000': (place) => `The database at ${place} rejected the user in DATABASE_URL.`,
  '3D000': (place, name) => `There is no database '${name}' at ${place}. Create it, or correct DATABASE_URL.`,
  '57P03': (place) => `The database at ${place} is still starting. Try again in a moment.`,
}

/** Returns why a call to the database failed, without the password that the address may contain. */
export function explainDatabaseError(error: unknown, databaseUrl: string | undefined): string {
  const url = databaseUrl && URL.canParse(databaseUrl) ? new URL(databaseUrl) : undefined
  if (databaseUrl && !url) {
    return 'DATABASE_URL is not an address like postgresql://user:password@host:5432/name.'
  }
  const explain = reasons[codeOf(error)]
  if (url && explain) return explain(url.host, decodeURIComponent(url.pathname.slice(1)))
  const text = error instanceof Error ? error.message : String(error)
  return url?.password ? text.replaceAll(url.password, '…') : text
}

/** Returns the code of an error from PostgreSQL or the network, empty when it has none. */
export function codeOf(error: unknown): string {
  if (error instanceof AggregateError) return codeOf(error.errors[0])
  if (
    error instanceof Error &&
    /^timeout expired|connection timeout/i.test(error.message) &&
    !('code' in error)
  )
    return 'ETIMEDOUT'
  return error instanceof Error && 'code' in error ? String(error.code) : ''
}
