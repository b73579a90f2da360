import type pg from 'pg'
import { membershipSettings, signUp } from '../calls/membership.ts'
import { connect } from '../data/connect.ts'
import type { MembersSize } from '../data/databases.ts'
import { fillMembers, findPasswordHash, spreadMembers } from '../data/fill-members.ts'
import type { Lifetime } from '../programs/lifetime.ts'
import { whole } from '../results/figures.ts'
import { type Api, type Settings, startApi } from './api.ts'
import type { Bench } from './bench.ts'

/** An API on a database with members, who have the password `memberPassword`. */
export type MembersSite = {
  api: Api
  database: pg.Client
  /** The hash of their password, from the site itself. */
  passwordHash: string
  /** Addresses of some members, spread over the table. */
  emails: string[]
}

// Without the paying members.
const sizes: Record<MembersSize, number> = {
  few: 1_000,
  paying: 1_000,
  many: 100_000,
  million: 1_000_000,
}
const firstEmail = 'first@bench.example'
const spread = 400

/** Starts the API and fills its database once. The first member signs up, so that the site itself hashes the password. */
export async function startMembersSite(
  { databases, progress }: Bench,
  lifetime: Lifetime,
  options: { name: string; size: MembersSize; settings?: Settings },
): Promise<MembersSite> {
  const { members, dataDir } = await databases()
  const databaseUrl = await members(options.size)
  const database = await connect(lifetime, databaseUrl)
  const settings = { ...membershipSettings, ...options.settings }
  const api = await startApi(lifetime, { name: options.name, databaseUrl, dataDir, settings })

  if ((await findPasswordHash(databaseUrl, firstEmail)) === null) await signUp(api.url, firstEmail)
  const passwordHash = await findPasswordHash(databaseUrl, firstEmail)
  if (passwordHash === null) throw new Error('The first member is missing after sign-up.')
  const count = sizes[options.size]
  await progress.step(`Creating ${whole(count)} members`, () =>
    fillMembers(databaseUrl, { count, passwordHash }),
  )
  return { api, database, passwordHash, emails: await spreadMembers(databaseUrl, spread) }
}
