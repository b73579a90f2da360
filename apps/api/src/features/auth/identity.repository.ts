import { type IdentityFlow, type MemberIdentity, Prisma } from '#generated/prisma/client.ts'
import { type Db, toJson } from '#platform/database.ts'

type NewFlow = Omit<IdentityFlow, 'details'> & { details: object }

export async function createFlow(db: Db, flow: NewFlow): Promise<void> {
  await db.identityFlow.create({ data: { ...flow, details: toJson(flow.details) } })
}

/** Claims a flow: the first callback from its browser and provider gets it. Any other leaves it unchanged. */
export async function claimFlow(
  db: Db,
  flow: Pick<IdentityFlow, 'stateHash' | 'browserHash' | 'provider'>,
): Promise<IdentityFlow | null> {
  return await db.identityFlow.delete({ where: flow }).catch((error: unknown) => {
    if (isNotFound(error)) return null
    throw error
  })
}

export async function removeOldFlows(db: Db, before: Date): Promise<void> {
  await db.identityFlow.deleteMany({ where: { expiresAt: { lt: before } } })
}

export async function findIdentity(
  db: Db,
  identity: Pick<MemberIdentity, 'appId' | 'provider' | 'subject'>,
): Promise<MemberIdentity | null> {
  return await db.memberIdentity.findUnique({ where: { appId_provider_subject: identity } })
}

/** Connects an identity to a member; returns false if it is connected, or the member has another of this provider. */
export async function createIdentity(
  tx: Db,
  identity: Pick<MemberIdentity, 'appId' | 'provider' | 'subject' | 'memberId'>,
): Promise<boolean> {
  const { count } = await tx.memberIdentity.createMany({ data: [identity], skipDuplicates: true })
  return count === 1
}

export async function removeIdentities(
  tx: Db,
  memberId: string,
  providers: readonly string[],
): Promise<void> {
  await tx.memberIdentity.deleteMany({ where: { memberId, provider: { in: [...providers] } } })
}

function isNotFound(error: unknown): boolean {
  return error instanceof Prisma.PrismaClientKnownRequestError && error.code === 'P2025'
}
