import type { FastifyRequest } from 'fastify'
import { browserIdOf } from '#http/browser-cookie.ts'
import { cleanText } from '#platform/free-json.ts'

/** A caller's IP address, browser cookie, user agent, and the origin of the page. */
export type Caller = { ip: string; browserId: string; userAgent: string; origin: string }

const maxCharacters = 300

/** Returns the caller of a request; some clients send the page as `originDomain` instead of an Origin header. */
export function callerOf(request: FastifyRequest, originDomain?: string | null): Caller {
  const { origin, 'user-agent': userAgent } = request.headers
  return {
    ip: request.ip,
    browserId: browserIdOf(request),
    userAgent: toStored(userAgent ?? ''),
    origin: toStored(origin ?? originDomain ?? ''),
  }
}

function toStored(text: string): string {
  return cleanText(text).slice(0, maxCharacters)
}
