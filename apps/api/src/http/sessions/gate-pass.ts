import { limits } from '@tidings/contracts/limits'
import { LRUCache } from 'lru-cache'
import type { Clock } from '#platform/clock.ts'
import { createFail } from '#platform/errors.ts'
import { type Ids, sha256 } from '#platform/ids.ts'
import { createSigner, equalInConstantTime } from '#platform/signing.ts'

export const gatePassCookie = 'tidings_gate'

export type GatePass = ReturnType<typeof createGatePass>

type Deps = { on: boolean; password: string; secret: string; clock: Clock; ids: Ids }

const passMs = limits.gatePassDays * 24 * 3600 * 1000
const cachedHeaders = 20_000
const maxCachedHeaderLength = 1_000

/** Issues and checks gate passes of up to 30 days, signed with the site's secret and the password. */
export function createGatePass({ on, password, secret, clock, ids }: Deps) {
  const signer = createSigner(secret, `gate pass ${sha256(password)}`)
  const findPass = new RegExp(`(?:^|;)\\s*${gatePassCookie}=([^;\\s]+)`)
  // Every read checks a pass, so the passes of known headers are cached until they expire.
  const known = new LRUCache<string, { id: string; untilMs: number }>({ max: cachedHeaders })

  function readPass(cookieHeader: string): { id: string; untilMs: number } | null {
    const value = signer.verify(findPass.exec(cookieHeader)?.[1] ?? '')
    const [issued = '', id] = value?.split('_') ?? []
    const issuedMs = Number(issued)
    return id === undefined || !Number.isSafeInteger(issuedMs) ? null : { id, untilMs: issuedMs + passMs }
  }

  function findValid(cookieHeader: string | undefined): { id: string; untilMs: number } | null {
    if (!on || cookieHeader === undefined || password === '') return null
    const nowMs = clock.now().getTime()
    const cached = known.get(cookieHeader)
    const pass = cached ?? readPass(cookieHeader)
    if (pass === null || nowMs >= pass.untilMs || pass.untilMs > nowMs + passMs) return null
    if (cached === undefined && cookieHeader.length <= maxCachedHeaderLength) {
      known.set(cookieHeader, pass)
    }
    return pass
  }

  return {
    on,
    /** Whether a password is configured; without one the site is locked. */
    configured: password !== '',
    isPassword: (given: string) => password !== '' && equalInConstantTime(given, password),
    issue: () => signer.sign(`${clock.now().getTime()}_${ids.uuid()}`),
    isPassed: (cookieHeader: string | undefined) => !on || findValid(cookieHeader) !== null,
    /** Returns the id of a valid pass, which stays the same for the browser; null without one. */
    idOf: (cookieHeader: string | undefined) => findValid(cookieHeader)?.id ?? null,
  }
}

export const fail = createFail({
  'gate-required': () => [401, 'Enter the site password first.'],
})
