import { limits } from '@tidings/contracts/limits'
import type { Config } from '#config/config.ts'
import type { CodeEmail, EmailService } from '#features/mail/index.ts'
import { findMemberByEmail } from '#features/members/index.ts'
import { tooManyRequests } from '#http/rate-limits.ts'
import type { Clock } from '#platform/clock.ts'
import type { Database, Db } from '#platform/database.ts'
import { mailboxOf } from '#platform/email-address.ts'
import type { Ids } from '#platform/ids.ts'
import type { Jobs } from '#platform/jobs.ts'
import type { MembershipApp, MembershipApps } from '#platform/membership-apps/membership-apps.ts'
import { equalInConstantTime } from '#platform/signing.ts'
import type { Caller } from '../caller.ts'
import type { KnownSources } from '../known-sources.ts'
import { type CodeBinding, type CodePurpose, type CodeSecrets, parseDigits } from './code-secrets.ts'
import { sendCode } from './codes.jobs.ts'
import {
  addGuess,
  type CodeRow,
  claimCode,
  countGuesses,
  countSent,
  countUnusedSignups,
  createCode,
  endCode,
  endCodes,
  endEarlier,
  hasLater,
  listActiveResets,
  lockCode,
  lockCount,
  markSent,
  type SentCounts,
  storeHashes,
  takeTry,
} from './codes.repository.ts'

type Deps = {
  database: Database
  jobs: Jobs
  emails: EmailService
  apps: MembershipApps
  sources: KnownSources
  secrets: CodeSecrets
  clock: Clock
  ids: Ids
  siteUrl: URL
  mailLimits: Config['mailLimits']
  codeLimits: Config['codeLimits']
}

/** A code that was found right, to be claimed in the transaction of what it allows. */
export type RightCode = { id: string; email: string }

type PreparedCode = { app: MembershipApp; to: string; email: CodeEmail }

export type CodeService = {
  /**
   * Requests a code, in the caller's transaction, with the same work for every address: the job that sends it looks up
   * the account. A solved captcha lifts the limit of sign-up codes.
   */
  request(
    tx: Db,
    app: MembershipApp,
    wanted: { purpose: CodePurpose; email: string; captchaSolved?: boolean },
    caller: Caller,
  ): Promise<void>
  /** Returns the code if the digits are right. If not, counts a try of the caller with the newest code, and returns null. */
  check(binding: CodeBinding, digits: string, caller: Caller): Promise<RightCode | null>
  /**
   * Returns the reset code of these digits, without its address, among those that were requested from the caller's browser
   * or else network. Throws `too-many-requests` when the guesses for these, or of the app, are used up. See ADR 0031.
   */
  checkReset(app: MembershipApp, digits: string, caller: Caller): Promise<RightCode | null>
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

/** How old a request may be when its code is sent, if the mail server was unavailable. */
const maxSendDelayMs: Readonly<Record<CodePurpose, number>> = {
  reset: 2 * hourMs,
  login: hourMs / 2,
  signup: hourMs / 2,
  verification: 24 * hourMs,
}

/** One-time codes by mail: six digits, kept hashed, bound to what they are for, with few tries. */
export function createCodeService(deps: Deps): CodeService {
  const { database, jobs, emails, apps, sources, secrets, clock, ids, siteUrl } = deps
  const { mailLimits, codeLimits } = deps

  function inTime(purpose: CodePurpose): Date {
    return new Date(clock.now().getTime() + lifetimes[purpose] * minuteMs)
  }

  /** Gives the row its digits, the same ones each time it is tried. Null when there is nothing to send. */
  async function prepare(codeId: string): Promise<PreparedCode | null> {
    const { byId } = await apps.directory()
    return await database.transaction(async (tx) => {
      const row = await lockCode(tx, codeId)
      if (row === null || row.sentAt !== null || row.usedAt !== null) return null
      await lockCount(tx, `codes for ${row.appId} ${row.mailbox}`)
      if (await isUnwanted(tx, row)) {
        await endCode(tx, row.id, clock.now())
        return null
      }
      const app = byId.get(row.appId)
      if (app === undefined) return null
      const member = await findMemberByEmail(tx, row.appId, row.email)
      const isSent =
        row.purpose === 'signup' || (member !== null && !(row.purpose === 'verification' && member.verified))
      if (!isSent || (member === null && (await isPastSignupLimit(tx, row)))) return null
      await endEarlier(tx, row, clock.now())
      const digits = await store(tx, row)
      return { app, to: row.email, email: emailOf(row, digits, member !== null) }
    })
  }

  /** Too many were mailed, a later one was asked for, or nobody waits for it any more. */
  async function isUnwanted(tx: Db, row: CodeRow): Promise<boolean> {
    const now = clock.now().getTime()
    if (now - row.createdAt.getTime() > maxSendDelayMs[row.purpose]) return true
    const before = (ms: number) => new Date(row.createdAt.getTime() - ms)
    if (isPastShare(await countSent(tx, row, before(hourMs)), row, mailLimits.perHour)) return true
    if (isPastShare(await countSent(tx, row, before(24 * hourMs)), row, mailLimits.perDay)) return true
    return await hasLater(tx, row)
  }

  /** A network may send few codes a day to addresses without an account, unless a captcha was solved. */
  async function isPastSignupLimit(tx: Db, row: CodeRow): Promise<boolean> {
    if (row.captchaSolved) return false
    const dayBefore = new Date(row.createdAt.getTime() - 24 * hourMs)
    return (await countUnusedSignups(tx, row, dayBefore)) >= codeLimits.signupCodesPerDay
  }

  /** The reset codes that a guess without an address is compared with, one for each address. */
  async function listCompared(tx: Db, appId: string, caller: Caller): Promise<CodeRow[]> {
    const { browser: browserHash, network: networkHash } = sources.hashesOf(caller)
    const ofBrowser = await listActiveResets(tx, { appId, browserHash }, clock.now())
    if (ofBrowser.length > 0) return ofBrowser
    return await listActiveResets(tx, { appId, networkHash }, clock.now())
  }

  /** Throws `too-many-requests` if one more guess, at each of these codes, would be too many. */
  async function checkGuesses(tx: Db, appId: string, compared: CodeRow[]): Promise<void> {
    const hashes = compared.map(({ sourceHash }) => sourceHash)
    const hourAgo = new Date(clock.now().getTime() - hourMs)
    const { bySource, byUnknown } = await countGuesses(tx, appId, hashes, hourAgo)
    const unknown = compared.filter(({ isSourceKnown }) => !isSourceKnown).length
    const third = codeLimits.resetGuessesPerHour / 3
    if (bySource + compared.length > third || (unknown > 0 && byUnknown + unknown > 2 * third)) {
      throw tooManyRequests(hourMs / 1000)
    }
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

  function emailOf(row: CodeRow, code: string, isKnown: boolean): CodeEmail {
    const data = { code, minutes: lifetimes[row.purpose] }
    switch (row.purpose) {
      case 'reset':
        return { kind: 'reset-code', ...data }
      case 'login':
        return { kind: 'login-code', ...data }
      case 'signup':
        return { kind: isKnown ? 'existing-account-code' : 'signup-code', ...data }
      case 'verification': {
        const link = new URL('/auth/verify-email', siteUrl.origin)
        link.search = new URLSearchParams({ app: row.appId, email: row.email, code }).toString()
        return { kind: 'verification', ...data, link: link.href }
      }
    }
  }

  return {
    async request(tx, app, { purpose, email, captchaSolved = false }, caller) {
      const id = ids.uuid()
      const source = await sources.find(tx, { appId: app.id, email }, caller)
      await createCode(tx, {
        id,
        appId: app.id,
        purpose,
        email,
        mailbox: mailboxOf(email),
        networkHash: source.network,
        browserHash: source.browser,
        sourceHash: source.hash,
        isSourceKnown: source.isKnown,
        captchaSolved,
        createdAt: clock.now(),
        expiresAt: inTime(purpose),
      })
      await jobs.enqueue(tx, sendCode, { codeId: id })
    },
    async check(binding, text, caller) {
      const digits = parseDigits(text) ?? ''
      const source = await sources.find(database.db, binding, caller)
      const taken = await takeTry(database.db, binding, source, { ...codeLimits, now: clock.now() })
      const given = secrets.hash(binding, digits)
      if (taken === null || taken.codeHash === null) return null
      return equalInConstantTime(given, taken.codeHash) ? { id: taken.id, email: binding.email } : null
    },
    async checkReset(app, text, caller) {
      const digits = parseDigits(text) ?? ''
      const lookupHash = secrets.lookupHash(app.id, digits)
      return await database.transaction(async (tx) => {
        await lockCount(tx, `guesses of reset codes ${app.id}`)
        const compared = await listCompared(tx, app.id, caller)
        await checkGuesses(tx, app.id, compared)
        const found = compared.find((code) => code.lookupHash === lookupHash)
        if (found !== undefined) {
          const source = await sources.find(tx, found, caller)
          const taken = await takeTry(tx, found, source, { ...codeLimits, now: clock.now() })
          if (taken?.id === found.id) return { id: found.id, email: found.email }
        }
        await addGuess(
          tx,
          compared.map(({ id }) => id),
          clock.now(),
        )
        return null
      })
    },
    async claim(tx, code, binding) {
      const claimed = await claimCode(tx, code.id, clock.now())
      if (claimed) await endCodes(tx, binding, clock.now())
      return claimed
    },
    async send(codeId) {
      const prepared = await prepare(codeId)
      if (prepared === null) return
      const { email, ...recipient } = prepared
      const isSent = await emails.sendCode({ ...recipient, messageId: `code-${codeId}` }, email)
      if (isSent) await markSent(database.db, codeId, clock.now())
      else await endCode(database.db, codeId, clock.now())
    },
  }
}

/**
 * Whether one more code for a mailbox would be too many. A third of an hour's or a day's emails is for one source, two
 * thirds are for all unknown ones, so that some are left for networks and browsers that have logged in before.
 */
function isPastShare({ bySource, byUnknown, all }: SentCounts, code: CodeRow, limit: number): boolean {
  const third = limit / 3
  return bySource >= third || (!code.isSourceKnown && byUnknown >= 2 * third) || all >= limit
}
