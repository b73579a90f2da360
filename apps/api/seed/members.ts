import { factsOf } from '@tidings/contracts/delivery/methods'
import { siteMessages } from '@tidings/contracts/site/site-messages'
import type { Context } from '#context.ts'
import { findMemberByEmail } from '#features/members/index.ts'
import type { SeedMember } from './content/types.ts'

/** Creates a verified member with free plans unless the address has an account. */
export async function seedMemberOnce(
  { config, clock, database, apps, passwords, plans, signup }: Context,
  { email, password, name, planIds, method, pdfFormat, phone }: SeedMember,
): Promise<number> {
  if ((await findMemberByEmail(database.db, config.site.appId, email)) !== null) return 0
  process.stdout.write(`Adding the member ${email}\n`)
  const app = await apps.siteApp()
  const passwordHash = await passwords.hash(password, { networks: ['seed'], isKnown: true })
  const chosen = plans.chooseFree(
    app,
    planIds.filter((id) => app.plansById.has(id)),
  )
  const application = {
    email,
    verified: true,
    passwordHash,
    customFields: {
      name,
      ...(method !== undefined && { [factsOf(method).field]: true }),
      ...(phone !== undefined && { phone }),
    },
    metaData: {},
    plans: chosen,
  }
  const caller = { ip: '', browserId: '', userAgent: '', origin: config.site.url.origin }
  return await database.transaction(async (tx) => {
    const made = await signup.create(tx, app, application, caller)
    if (made === null) return 0
    const row = await findMemberByEmail(tx, config.site.appId, email)
    if (pdfFormat !== undefined && row !== null)
      await tx.member.update({ where: { id: row.id }, data: { pdfFormat } })
    if (phone !== undefined && row !== null) {
      const now = clock.now()
      await tx.memberPhone.create({
        data: {
          memberId: row.id,
          text: phone,
          number: phone,
          codeExpiresAt: now,
          verifiedAt: now,
          consentAt: now,
          consentOrigin: caller.origin,
          consentText: siteMessages.smsConsent,
        },
      })
    }
    return 1
  })
}
