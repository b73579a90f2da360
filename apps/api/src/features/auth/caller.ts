import type { FastifyRequest } from 'fastify'
import { shortText } from '../members/index.ts'

/** Who calls: their IP address, their browser's name, and the page they are on. */
export type Caller = { ip: string; userAgent: string; origin: string }

const userAgentCharacters = 300
const originCharacters = 300

export function callerOf(request: FastifyRequest, originDomain?: string | null): Caller {
  const { origin, 'user-agent': userAgent } = request.headers
  return {
    ip: request.ip,
    userAgent: shortText(userAgent, userAgentCharacters),
    origin: shortText(origin ?? originDomain ?? '', originCharacters),
  }
}
