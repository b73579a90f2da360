import { limits } from '@tidings/contracts/limits'
import { LRUCache } from 'lru-cache'
import type { Clock } from '../platform/clock.ts'
import { AppError } from '../platform/errors.ts'
import { type Ids, sha256 } from '../platform/ids.ts'
import { createSigner, equalInConstantTime } from '../platform/signing.ts'

/** The cookie that proves that this browser has passed the gate. */
export const gatePassCookie = 'tidings_gate'

export type GatePass = {
  /** Whether the gate stands at all. */
  readonly on: boolean
  /** Whether a password is configured; without one nobody passes. */
  readonly configured: boolean
  isPassword(given: string): boolean
  /** The value of a new pass. */
  issue(): string
  /** Whether the request's whole Cookie header holds a pass that is valid now. */
  isPassed(cookieHeader: string | undefined): boolean
  /** The id of a valid pass: the same browser keeps it for as long as the pass. Null without a pass. */
  idOf(cookieHeader: string | undefined): string | null
}

const passMs = limits.gatePassDays * 24 * 3600 * 1000
const rememberedHeaders = 20_000
const longestRememberedHeader = 1_000

/**
 * Makes and checks passes. A pass is signed with the site's secret and the password, so that a new password
 * ends every pass; it ends with the browser session and after 30 days at most.
 */
export function createGatePass(options: {
  on: boolean
  password: string
  secret: string
  clock: Clock
  ids: Ids
}): GatePass {
  const { on, password, clock, ids } = options
  const signer = createSigner(options.secret, `gate pass ${sha256(password)}`)
  const findPass = new RegExp(`(?:^|;)\\s*${gatePassCookie}=([^;\\s]+)`)
  // Checking a signature is work on the way of every read; a header seen before is known until its pass ends.
  const known = new LRUCache<string, { id: string; untilMs: number }>({ max: rememberedHeaders })

  function readPass(cookieHeader: string): { id: string; untilMs: number } | null {
    const value = signer.verify(findPass.exec(cookieHeader)?.[1] ?? '')
    const [issued = '', id] = value?.split('_') ?? []
    const issuedMs = Number(issued)
    return id === undefined || !Number.isSafeInteger(issuedMs) ? null : { id, untilMs: issuedMs + passMs }
  }

  function findValid(cookieHeader: string | undefined): { id: string; untilMs: number } | null {
    if (!on || cookieHeader === undefined || password === '') return null
    const nowMs = clock.now().getTime()
    const remembered = known.get(cookieHeader)
    const pass = remembered ?? readPass(cookieHeader)
    if (pass === null || nowMs >= pass.untilMs || pass.untilMs > nowMs + passMs) return null
    if (remembered === undefined && cookieHeader.length <= longestRememberedHeader) {
      known.set(cookieHeader, pass)
    }
    return pass
  }

  return {
    on,
    configured: password !== '',
    isPassword: (given) => password !== '' && equalInConstantTime(given, password),
    issue: () => signer.sign(`${clock.now().getTime()}_${ids.uuid()}`),
    isPassed: (cookieHeader) => !on || findValid(cookieHeader) !== null,
    idOf: (cookieHeader) => findValid(cookieHeader)?.id ?? null,
  }
}

/** The refusal of whoever has not passed. */
export function gateRequired(): AppError {
  return new AppError('gate-required', 401, 'Please enter the site password first.')
}
