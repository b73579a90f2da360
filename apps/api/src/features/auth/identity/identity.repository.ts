import type { IdentityFlow, MemberIdentity } from '#generated/prisma/client.ts'
import { type Db, toJson } from '#platform/database.ts'

export type FlowRow = IdentityFlow

export async function createFlow(
  db: Db,
  flow: Omit<IdentityFlow, 'details'> & { details: object },
): Promise<void> {
  await db.identityFlow.create({ data: { ...flow, details: toJson(flow.details) } })
}

/** Takes a flow: the first callback of its browser and provider gets it, and nobody after. Others leave it as it is. */
export async function claimFlow(
  db: Db,
  flow: Pick<IdentityFlow, 'stateHash' | 'browserHash' | 'provider'>,
): Promise<FlowRow | null> {
  return await db.identityFlow.delete({ where: flow }).catch((error: unknown) => {
    if (isNotThere(error)) return null
    throw error
  })
}

export async function removeOldFlows(db: Db, before: Date): Promise<void> {
  await db.identityFlow.deleteMany({ where: { expiresAt: { lt: before } } })
}

export async function findIdentity(
  db: Db,
  identity: { appId: string; provider: string; subject: string },
): Promise<MemberIdentity | null> {
  return await db.memberIdentity.findUnique({ where: { appId_provider_subject: identity } })
}

/** Stores that a member logs in this way; false when the way in is taken, or the member has one at this provider. */
export async function createIdentity(
  tx: Db,
  identity: Pick<MemberIdentity, 'appId' | 'provider' | 'subject' | 'memberId'>,
): Promise<boolean> {
  const { count } = await tx.memberIdentity.createMany({ data: [identity], skipDuplicates: true })
  return count === 1
}

/** Removes a member's sign-ins by these providers. */
export async function removeIdentities(
  tx: Db,
  memberId: string,
  providers: readonly string[],
): Promise<void> {
  await tx.memberIdentity.deleteMany({ where: { memberId, provider: { in: [...providers] } } })
}

function isNotThere(error: unknown): boolean {
  return typeof error === 'object' && error !== null && 'code' in error && error.code === 'P2025'
}
