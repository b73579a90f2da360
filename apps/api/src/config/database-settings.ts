import { z } from 'zod'
import { count, optionalText } from './setting.ts'

/** The settings of the database. */
export const databaseSettings = z.object({
  url: optionalText('DATABASE_URL').describe(
    'PostgreSQL 18 or later: postgresql://user:password@host:5432/database. Without it `start` runs its own.',
  ),
  listenUrl: optionalText('DATABASE_LISTEN_URL').describe(
    'The same database without a pooler, for the connections that receive notifications and those of the job queue. Set it if DATABASE_URL leads to PgBouncer in transaction mode, through which none arrive. Default: DATABASE_URL.',
  ),
  connections: count('DATABASE_CONNECTIONS', 10, [2, 200]).describe('Database connections of each process.'),
  waitSeconds: count('DATABASE_WAIT_SECONDS', 5, [1, 60]).describe(
    'How long a request waits for a database connection before it gets 503.',
  ),
  staleIfErrorSeconds: count('STALE_IF_ERROR_SECONDS', 600, [0, 86_400]).describe(
    'How long editions, lists and pictures in memory are still served after the database became unavailable. 0: not at all.',
  ),
})
