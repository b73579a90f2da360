import type { TestApp } from '../test-app.ts'
import { holdPlan, testPlans } from './plans.ts'

type Recipient = {
  customFields?: Record<string, unknown>
  verified?: boolean
  /** A plan that is held as if it was paid; null for none. */
  planId?: string | null
}

let made = 0

/** Stores a member who receives memos by email, unless the options say otherwise. Returns the address and id. */
export async function createRecipient(
  site: TestApp,
  {
    customFields = { getmemomethodbyemail: true },
    verified = true,
    planId = testPlans.monthly,
  }: Recipient = {},
): Promise<{ email: string; memberId: string }> {
  made += 1
  const { context } = site
  const email = `recipient-${made}@example.com`
  const now = context.clock.now()
  const { id: memberId } = await context.database.db.member.create({
    data: {
      id: context.ids.public('mem'),
      appId: context.config.site.appId,
      email,
      verified,
      customFields: { name: `Recipient ${made}`, ...customFields },
      termsAcceptedAt: now,
      createdAt: now,
    },
  })
  if (planId !== null) await holdPlan(site, memberId, planId)
  return { email, memberId }
}
