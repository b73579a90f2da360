import { limits } from '@tidings/contracts/limits'
import type { RateLimits } from '../../../http/rate-limits.ts'
import { type Mail, type Mailer, MailRefusedError } from '../../../integrations/mail/mailer.ts'
import type { Clock } from '../../../platform/clock.ts'
import type { Database, Db } from '../../../platform/database.ts'
import type { Ids } from '../../../platform/ids.ts'
import type { Jobs } from '../../../platform/jobs.ts'
import type { Logger } from '../../../platform/logger.ts'
import type { MembershipApp, MembershipApps } from '../../../platform/membership-apps/membership-apps.ts'
import { equalInConstantTime } from '../../../platform/signing.ts'
import { findMemberByEmail } from '../../members/index.ts'
import { type CodeBinding, type CodePurpose, type CodeSecrets, parseDigits } from './code-secrets.ts'
import { codeRequested } from './codes.jobs.ts'
import {
  type CodeRow,
  claimCode,
  countMailed,
  createCode,
  endCode,
  endCodes,
  endEarlier,
  findByLookup,
  hasLater,
  lockCode,
  markSent,
  storeHashes,
  takeTry,
} from './codes.repository.ts'

type Deps = {
  database: Database
  jobs: Jobs
  mailer: Mailer
  apps: MembershipApps
  rateLimits: RateLimits
  secrets: CodeSecrets
  clock: Clock
  ids: Ids
  logger: Logger
  siteUrl: URL
  /** How many codes of a kind one address is mailed at most. */
  mailLimits: { perHour: number; perDay: number }
}

/** A code that was found right, to be claimed in the transaction of what it allows. */
export type RightCode = { id: string; email: string }

export type CodeService = {
  /**
   * Asks for a code, in the caller's transaction. The same work for every address: who it belongs to is looked up by
   * the job that sends it.
   */
  request(tx: Db, app: MembershipApp, purpose: CodePurpose, email: string): Promise<void>
  /** The code's id when the digits are right; null when not, which counts as one of the tries of the address's code. */
  check(binding: CodeBinding, digits: string): Promise<RightCode | null>
  /** The same for a reset code that came without its address; wrong ones count against the app's budget. */
  checkReset(app: MembershipApp, digits: string): Promise<RightCode | null>
  /** Takes a code that was found right; false when somebody was faster. Ends the address's other codes of its kind. */
  claim(tx: Db, code: RightCode, binding: CodeBinding): Promise<boolean>
  /** Sends what was asked for; the job's work. May run twice: the second finds it sent. */
  send(codeId: string): Promise<void>
}

const minuteMs = 60_000
const hourMs = 60 * minuteMs
const mostAttempts = 50

/** For how long a code is good, in minutes. */
const lifetimes: Readonly<Record<CodePurpose, number>> = {
  reset: limits.resetCodeMinutes,
  login: limits.shortCodeMinutes,
  signup: limits.shortCodeMinutes,
  verification: limits.shortCodeMinutes,
}

/** After how long a code that could not be mailed is not wanted any more. */
const givenUpMs: Readonly<Record<CodePurpose, number>> = {
  reset: 2 * hourMs,
  login: hourMs / 2,
  signup: hourMs / 2,
  verification: 24 * hourMs,
}

/** One-time codes by mail: six digits, kept hashed, bound to what they are for, with few tries. */
export function createCodeService(deps: Deps): CodeService {
  const { database, jobs, mailer, apps, rateLimits, secrets, clock, ids, logger, siteUrl, mailLimits } = deps

  function inTime(purpose: CodePurpose): Date {
    return new Date(clock.now().getTime() + lifetimes[purpose] * minuteMs)
  }

  /** Gives the row its digits, the same ones each time it is tried. Null when there is nothing to send. */
  async function prepare(codeId: string): Promise<{ row: CodeRow; mail: Mail } | null> {
    const { byId } = await apps.directory()
    return await database.transaction(async (tx) => {
      const row = await lockCode(tx, codeId)
      if (row === null || row.sentAt !== null || row.usedAt !== null) return null
      if (await isUnwanted(tx, row)) {
        await endCode(tx, row.id, clock.now())
        return null
      }
      const app = byId.get(row.appId)
      if (app === undefined) return null
      const member = await findMemberByEmail(tx, row.appId, row.email)
      const isSent =
        row.purpose === 'signup' || (member !== null && !(row.purpose === 'verification' && member.verified))
      if (!isSent) return null
      await endEarlier(tx, row, clock.now())
      const digits = await store(tx, row)
      return { row, mail: mailOf(row, app, digits, member !== null) }
    })
  }

  /** Too many were mailed, a later one was asked for, or nobody waits for it any more. */
  async function isUnwanted(tx: Db, row: CodeRow): Promise<boolean> {
    const now = clock.now().getTime()
    if (now - row.createdAt.getTime() > givenUpMs[row.purpose]) return true
    const before = (ms: number) => new Date(row.createdAt.getTime() - ms)
    if ((await countMailed(tx, row, before(hourMs))) >= mailLimits.perHour) return true
    if ((await countMailed(tx, row, before(24 * hourMs))) >= mailLimits.perDay) return true
    return await hasLater(tx, row)
  }

  async function store(tx: Db, row: CodeRow): Promise<string> {
    const expiresAt = inTime(row.purpose)
    for (let attempt = 0; attempt < mostAttempts; attempt += 1) {
      const digits = secrets.digitsOf(row.id, attempt)
      const codeHash = secrets.hash(row, digits)
      // Tried before: its digits were mailed perhaps, and stay.
      if (row.codeHash !== null && row.codeHash !== codeHash) continue
      const lookupHash = row.purpose === 'reset' ? secrets.lookupHash(row.appId, digits) : null
      if (await storeHashes(tx, row, { codeHash, lookupHash, expiresAt, now: clock.now() })) return digits
    }
    throw new Error('No free digits were found for a one-time code')
  }

  function mailOf(row: CodeRow, app: MembershipApp, code: string, isKnown: boolean): Mail {
    const mail = { to: row.email, appName: app.name, code, minutes: lifetimes[row.purpose] }
    switch (row.purpose) {
      case 'reset':
        return { ...mail, kind: 'reset-code' }
      case 'login':
        return { ...mail, kind: 'login-code', fromSignup: false }
      case 'signup':
        return isKnown ? { ...mail, kind: 'login-code', fromSignup: true } : { ...mail, kind: 'signup-code' }
      case 'verification': {
        const link = new URL('/auth/verify-email', siteUrl.origin)
        link.search = new URLSearchParams({ app: row.appId, email: row.email, code }).toString()
        return { ...mail, kind: 'verification', link: link.href }
      }
    }
  }

  return {
    async request(tx, app, purpose, email) {
      const id = ids.uuid()
      await createCode(tx, {
        id,
        appId: app.id,
        purpose,
        email,
        createdAt: clock.now(),
        expiresAt: inTime(purpose),
      })
      await jobs.enqueue(tx, codeRequested, { codeId: id })
    },
    async check(binding, text) {
      const digits = parseDigits(text) ?? ''
      const taken = await takeTry(database.db, binding, { tries: limits.codeTries, now: clock.now() })
      const given = secrets.hash(binding, digits)
      if (taken === null || taken.codeHash === null) return null
      return equalInConstantTime(given, taken.codeHash) ? { id: taken.id, email: binding.email } : null
    },
    async checkReset(app, text) {
      await rateLimits.consume('resetGuesses', app.id)
      const digits = parseDigits(text)
      const found =
        digits === null
          ? null
          : await findByLookup(database.db, app.id, secrets.lookupHash(app.id, digits), {
              tries: limits.codeTries,
              now: clock.now(),
            })
      if (found === null) return null
      await rateLimits.refund('resetGuesses', app.id)
      return { id: found.id, email: found.email }
    },
    async claim(tx, code, binding) {
      const claimed = await claimCode(tx, code.id, clock.now())
      if (claimed) await endCodes(tx, binding, clock.now())
      return claimed
    },
    async send(codeId) {
      const prepared = await prepare(codeId)
      if (prepared === null) return
      try {
        await mailer.send(prepared.mail, { messageId: `code-${codeId}` })
      } catch (error) {
        if (!(error instanceof MailRefusedError)) throw error
        logger.warn({ err: error, codeId }, 'a code could not be mailed to its address')
        await endCode(database.db, codeId, clock.now())
        return
      }
      await markSent(database.db, codeId, clock.now())
    },
  }
}
