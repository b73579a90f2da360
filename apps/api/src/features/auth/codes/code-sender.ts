import { verifyEmail } from '@tidings/contracts/membership/routes'
import type { Config } from '#config/config.ts'
import type { CodeEmail } from '#features/mail/index.ts'
import { findMemberByEmail, isAddressHeld } from '#features/members/index.ts'
import { networkShares } from '#http/limits/networks.ts'
import type { Db } from '#platform/database.ts'
import type { MembershipApp } from '#platform/membership-apps/membership-apps.ts'
import type { AuthDeps } from '../auth.deps.ts'
import { expiryOf, lifetimes } from './code-lifetimes.ts'
import type { CodeSecrets } from './code-secrets.ts'
import {
  type CodeRow,
  countSent,
  countUnusedSignups,
  endCodes,
  endEarlier,
  hasLater,
  lockCode,
  lockCount,
  markSent,
  type SentCounts,
  storeHashes,
} from './codes.repository.ts'

export type CodeSenderDeps = Pick<AuthDeps, 'database' | 'emails' | 'apps' | 'clock' | 'siteUrl'> & {
  secrets: CodeSecrets
  mailLimits: Config['mailLimits']
  codeLimits: Config['codeLimits']
}

type CodeToSend = { app: MembershipApp; to: string; email: CodeEmail }

const hourMs = 3_600_000
const maxAttempts = 50

/** Returns the function that emails a requested code, unless its mailbox or network has had too many. */
export function createCodeSender(deps: CodeSenderDeps) {
  const { database, emails, apps, secrets, clock, siteUrl, mailLimits, codeLimits } = deps

  /** Stores the row's digits, the same ones for each attempt to send. Returns null if there is nothing to send. */
  async function prepare(codeId: string): Promise<CodeToSend | null> {
    const { byId } = await apps.directory()
    return await database.transaction(async (tx) => {
      const row = await lockCode(tx, codeId)
      if (row === null || row.sentAt !== null || row.usedAt !== null) return null
      await lockCount(tx, `codes for ${row.appId} ${row.mailbox}`)
      if (await isDropped(tx, row)) {
        await endCodes(tx, { id: row.id }, clock.now())
        return null
      }
      const app = byId.get(row.appId)
      if (app === undefined) return null
      const member = await findMemberByEmail(tx, row.appId, row.email)
      const isSent =
        row.purpose === 'signup' || (member !== null && !(row.purpose === 'verification' && member.verified))
      if (!isSent || (member === null && (await isPastSignupLimit(tx, row)))) return null
      // The code would be refused: its address gets an account again once the former one is closed.
      if (member === null && (await isAddressHeld(tx, row.appId, row.email))) return null
      await endEarlier(tx, row, clock.now())
      const digits = await storeDigits(tx, row)
      return { app, to: row.email, email: emailOf(row, digits, member !== null) }
    })
  }

  /** Returns whether a code is too old to send, over the mailbox's limits, or replaced by a later request. */
  async function isDropped(tx: Db, row: CodeRow): Promise<boolean> {
    if (clock.now().getTime() - row.createdAt.getTime() > lifetimes[row.purpose].maxSendDelayMs) return true
    const before = (ms: number) => new Date(row.createdAt.getTime() - ms)
    if (isPastShare(await countSent(tx, row, before(hourMs)), row, mailLimits.perHour)) return true
    if (isPastShare(await countSent(tx, row, before(24 * hourMs)), row, mailLimits.perDay)) return true
    return await hasLater(tx, row)
  }

  /**
   * Returns whether one of the networks has sent its daily codes to addresses without an account. A solved captcha lifts
   * the limit.
   */
  async function isPastSignupLimit(tx: Db, row: CodeRow): Promise<boolean> {
    if (row.captchaSolved) return false
    const dayBefore = new Date(row.createdAt.getTime() - 24 * hourMs)
    const counts = await countUnusedSignups(tx, row, dayBefore)
    return counts.some((count, index) => count >= codeLimits.signupCodesPerDay * (networkShares[index] ?? 1))
  }

  async function storeDigits(tx: Db, row: CodeRow): Promise<string> {
    const expiresAt = expiryOf(row.purpose, clock.now())
    for (let attempt = 0; attempt < maxAttempts; attempt += 1) {
      const digits = secrets.digitsOf(row.id, attempt)
      const codeHash = secrets.hash(row, digits)
      // An earlier attempt may have emailed its digits, so they stay.
      if (row.codeHash !== null && row.codeHash !== codeHash) continue
      const lookupHash = row.purpose === 'reset' ? secrets.lookupHash(row.appId, digits) : null
      if (await storeHashes(tx, row, { codeHash, lookupHash, expiresAt, now: clock.now() })) return digits
    }
    throw new Error('No free digits for a one-time code')
  }

  function emailOf(row: CodeRow, code: string, isKnown: boolean): CodeEmail {
    const data = { code, minutes: lifetimes[row.purpose].minutes }
    switch (row.purpose) {
      case 'reset':
        return { kind: 'reset-code', ...data }
      case 'login':
        return { kind: 'login-code', ...data }
      case 'signup':
        return { kind: isKnown ? 'existing-account-code' : 'signup-code', ...data }
      case 'verification': {
        const link = new URL(verifyEmail.path, siteUrl.origin)
        const { appId, email } = row
        const signature = secrets.signatureOf(row, code)
        link.search = new URLSearchParams({ app: appId, email, code, signature }).toString()
        return { kind: 'verification', ...data, link: link.href }
      }
    }
  }

  /** Emails a requested code. May run twice: a sent code is not sent again. */
  return async function send(codeId: string): Promise<void> {
    const prepared = await prepare(codeId)
    if (prepared === null) return
    const { email, ...recipient } = prepared
    const isSent = await emails.sendCode({ ...recipient, messageId: `code-${codeId}` }, email)
    if (isSent) await markSent(database.db, codeId, clock.now())
    else await endCodes(database.db, { id: codeId }, clock.now())
  }
}

/**
 * Returns whether one more code for a mailbox exceeds the limit. One source may send a third of it and all unknown
 * sources two thirds, so that some codes are left for networks and browsers that have logged in before.
 */
function isPastShare({ bySource, byUnknown, all }: SentCounts, code: CodeRow, limit: number): boolean {
  const third = limit / 3
  return bySource >= third || (!code.isSourceKnown && byUnknown >= 2 * third) || all >= limit
}
