import type { FastifyRequest } from 'fastify'
import { browserIdOf } from '#http/browser-cookie.ts'
import { cleanText } from '#platform/free-json.ts'

/** Who calls: their IP address, their browser's cookie and name, and the page they are on. */
export type Caller = { ip: string; browserId: string; userAgent: string; origin: string }

const userAgentCharacters = 300
const originCharacters = 300

/** Who makes a call; `originDomain` is the page as some clients name it, for calls without an Origin. */
export function callerOf(request: FastifyRequest, originDomain?: string | null): Caller {
  const { origin, 'user-agent': userAgent } = request.headers
  return {
    ip: request.ip,
    browserId: browserIdOf(request),
    userAgent: shortText(userAgent ?? '', userAgentCharacters),
    origin: shortText(origin ?? originDomain ?? '', originCharacters),
  }
}

/** As it is kept beside a member: without what cannot be stored, and not too long. */
function shortText(text: string, characters: number): string {
  return cleanText(text).slice(0, characters)
}
