import type { Context } from '#context.ts'
import { findMemberByEmail } from '#features/members/index.ts'
import type { SeedMember } from './content/types.ts'

/** Creates a verified member with free plans unless the address has an account. */
export async function seedMemberOnce(
  { config, database, apps, passwords, plans, signup }: Context,
  { email, password, name, planIds, method }: SeedMember,
): Promise<number> {
  if ((await findMemberByEmail(database.db, config.site.appId, email)) !== null) return 0
  process.stdout.write(`Adding the member ${email}\n`)
  const app = await apps.siteApp()
  const passwordHash = await passwords.hash(password)
  const chosen = plans.chooseFree(
    app,
    planIds.filter((id) => app.plansById.has(id)),
  )
  const application = {
    email,
    verified: true,
    passwordHash,
    customFields: { name, ...(method !== undefined && { [method]: true }) },
    metaData: {},
    plans: chosen,
  }
  const caller = { ip: '', browserId: '', userAgent: '', origin: config.site.url.origin }
  const made = await database.transaction((tx) => signup.create(tx, app, application, caller))
  return made === null ? 0 : 1
}
