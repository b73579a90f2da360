import type { FastifyRequest } from 'fastify'
import { sessionOf } from '#http/membership/member-session.ts'
import type { RateLimits } from '#http/rate-limits.ts'

/** Under what the page of all calls lists those of payments. */
export const tags = ['Membership: payments']

/** Whose session it is. Each call of theirs asks the payment service, which bears only so many. */
export async function payingMemberOf(request: FastifyRequest, rateLimits: RateLimits): Promise<string> {
  const { memberId } = sessionOf(request)
  await rateLimits.consume('payments', memberId)
  return memberId
}
