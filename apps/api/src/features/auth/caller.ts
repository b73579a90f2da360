import type { FastifyRequest } from 'fastify'
import { networksOf } from '#http/limits/networks.ts'
import { browserIdOf } from '#http/sessions/browser-cookie.ts'
import { cleanText } from '#platform/free-json.ts'
import type { HashSource } from '#platform/passwords/hash-queue.ts'

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

/** Returns the requester of a hash of a caller's password. */
export function hashSourceOf({ ip }: Caller, { isKnown }: { isKnown: boolean }): HashSource {
  const networks = networksOf(ip).map(({ name }) => name)
  return { networks: networks.toReversed(), isKnown }
}

function toStored(text: string): string {
  return cleanText(text).slice(0, maxCharacters)
}
