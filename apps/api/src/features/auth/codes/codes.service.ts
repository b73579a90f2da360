import { limits } from '@tidings/contracts/limits'
import { findCode } from '@tidings/contracts/membership/typed-text'
import type { Config } from '#config/config.ts'
import type { CodeEmail } from '#features/mail/index.ts'
import { findMemberByEmail, isAddressHeld } from '#features/members/index.ts'
import { networkShares } from '#http/limits/networks.ts'
import { tooManyRequests } from '#http/limits/rate-limits.ts'
import type { Db } from '#platform/database.ts'
import type { MembershipApp } from '#platform/membership-apps/membership-apps.ts'
import { mailboxOf } from '#platform/text/email-address.ts'
import type { AuthDeps } from '../auth.deps.ts'
import type { Caller } from '../caller.ts'
import type { KnownSources } from '../known-sources.ts'
import { createGuessCounter } from './code-guesses.ts'
import type { CodeBinding, CodePurpose, CodeSecrets } from './code-secrets.ts'
import { sendCode } from './codes.jobs.ts'
import {
  addGuess,
  type CodeRow,
  claimCode,
  countSent,
  countUnusedSignups,
  createCode,
  endCodes,
  endEarlier,
  findValid,
  hasLater,
  listActiveResets,
  listGuessed,
  lockCode,
  lockCount,
  markSent,
  type SentCounts,
  storeHashes,
} from './codes.repository.ts'
import { countedCodes, isGuessAllowed } from './reset-guesses.ts'
import { createTryTaker, isHashOf } from './taken-tries.ts'

type Deps = Pick<
  AuthDeps,
  'database' | 'jobs' | 'emails' | 'apps' | 'clock' | 'ids' | 'siteUrl' | 'rateLimits'
> & {
  sources: KnownSources
  secrets: CodeSecrets
  mailLimits: Config['mailLimits']
  codeLimits: Config['codeLimits']
}

/** A code whose digits were right, to be claimed in the transaction of what it allows. */
type RightCode = { id: string; email: string }

type CodeToSend = { app: MembershipApp; to: string; email: CodeEmail }

export type CodeService = ReturnType<typeof createCodeService>

const minuteMs = 60_000
const hourMs = 60 * minuteMs
const maxAttempts = 50

/** How long a code is valid, and how old a request may be when its code is sent. */
const lifetimes: Readonly<Record<CodePurpose, { minutes: number; maxSendDelayMs: number }>> = {
  reset: { minutes: limits.resetCodeMinutes, maxSendDelayMs: 2 * hourMs },
  login: { minutes: limits.shortCodeMinutes, maxSendDelayMs: hourMs / 2 },
  signup: { minutes: limits.shortCodeMinutes, maxSendDelayMs: hourMs / 2 },
  verification: { minutes: limits.shortCodeMinutes, maxSendDelayMs: 24 * hourMs },
}

/**
 * Creates the service of one-time codes by email: six digits, stored as a hash, bound to their purpose, with few tries.
 */
export function createCodeService(deps: Deps) {
  const { database, jobs, emails, apps, sources, secrets, clock, ids, siteUrl } = deps
  const { mailLimits, codeLimits } = deps
  const countGuess = createGuessCounter(deps)
  const takeTry = createTryTaker(deps)

  function expiryOf(purpose: CodePurpose): Date {
    return new Date(clock.now().getTime() + lifetimes[purpose].minutes * minuteMs)
  }

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

  /** Returns the reset codes that a guess without an address is compared with, one for each address. */
  async function listCompared(tx: Db, appId: string, caller: Caller): Promise<CodeRow[]> {
    const { browser: browserHash, network: networkHash } = sources.hashesOf(caller)
    const ofBrowser = await listActiveResets(tx, { appId, browserHash }, clock.now())
    if (ofBrowser.length > 0) return ofBrowser
    return await listActiveResets(tx, { appId, networkHash }, clock.now())
  }

  /**
   * Takes a try with the code of these digits among those compared. Another guess counts for the requesters of these
   * codes. Returns 'refused' once their guesses are used up.
   */
  async function guessReset(
    tx: Db,
    compared: CodeRow[],
    wanted: { appId: string; lookupHash: string },
    caller: Caller,
  ): Promise<RightCode | 'wrong' | 'refused'> {
    const found = compared.find((code) => code.lookupHash === wanted.lookupHash)
    const guessed = await listGuessed(tx, wanted.appId, new Date(clock.now().getTime() - hourMs))
    const limits = {
      perNetwork: codeLimits.networkResetGuessesPerHour,
      inAll: codeLimits.resetGuessesPerHour,
    }
    if (found !== undefined && isGuessAllowed(found, guessed, limits)) {
      const taken = await takeTry(tx, found, await sources.find(tx, found, caller))
      if (taken?.id === found.id) return { id: found.id, email: found.email }
    }
    // A right guess that isn't accepted counts like a wrong one, or the counts would show which it was.
    const counted = countedCodes(compared)
    const allowed = counted.filter((code) => isGuessAllowed(code, guessed, limits))
    await addGuess(tx, allowed, clock.now())
    return allowed.length < counted.length ? 'refused' : 'wrong'
  }

  async function storeDigits(tx: Db, row: CodeRow): Promise<string> {
    const expiresAt = expiryOf(row.purpose)
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
        const link = new URL('/auth/verify-email', siteUrl.origin)
        const { appId, email } = row
        const signature = secrets.signatureOf(row, code)
        link.search = new URLSearchParams({ app: appId, email, code, signature }).toString()
        return { kind: 'verification', ...data, link: link.href }
      }
    }
  }

  return {
    /**
     * Requests a code in the caller's transaction, with the same work for every address: the job that sends it looks up
     * the account. A solved captcha lifts the limit of sign-up codes.
     */
    async request(
      tx: Db,
      app: MembershipApp,
      wanted: { purpose: CodePurpose; email: string; captchaSolved?: boolean },
      caller: Caller,
    ): Promise<void> {
      const { purpose, email, captchaSolved = false } = wanted
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
        widerNetworks: source.widerNetworks,
        sourceHash: source.hash,
        isSourceKnown: source.isKnown,
        captchaSolved,
        createdAt: clock.now(),
        expiresAt: expiryOf(purpose),
      })
      await jobs.enqueue(tx, sendCode, { codeId: id })
    },
    /**
     * Returns the newest code if the digits are right. Otherwise counts a try of the caller and returns null. Throws
     * `too-many-requests` after too many wrong codes from one network, except to the browser that requested it (ADR 0063).
     */
    async check(binding: CodeBinding, text: string, caller: Caller): Promise<RightCode | null> {
      const given = secrets.hash(binding, findCode(text) ?? '')
      const source = await sources.find(database.db, binding, caller)
      const refundGuess = source.isKnown ? null : await countGuess(binding, source, caller)
      const taken = await database.transaction((tx) => takeTry(tx, binding, source, given))
      if (taken === null || !isHashOf(taken, given)) return null
      await refundGuess?.()
      return { id: taken.id, email: binding.email }
    },
    /**
     * Returns the reset code with these digits among those requested from the caller's browser or, without any, network.
     * Throws `too-many-requests` once the wrong guesses of the network or the app are used up (ADR 0063).
     */
    async checkReset(app: MembershipApp, text: string, caller: Caller): Promise<RightCode | null> {
      const wanted = { appId: app.id, lookupHash: secrets.lookupHash(app.id, findCode(text) ?? '') }
      const result = await database.transaction(async (tx) => {
        await lockCount(tx, `guesses of reset codes ${app.id}`)
        return await guessReset(tx, await listCompared(tx, app.id, caller), wanted, caller)
      })
      if (result === 'refused') throw tooManyRequests(hourMs / 1000)
      return result === 'wrong' ? null : result
    },
    /** Returns whether we have emailed a link with this code. To use such a link is no guess (ADR 72). */
    isEmailed(binding: CodeBinding, { code, signature = '' }: { code: string; signature?: string }): boolean {
      return secrets.isSignatureOf(binding, findCode(code) ?? '', signature)
    },
    /** Returns the code of an emailed link, or whether another one is valid instead. Changes nothing. */
    async recall(binding: CodeBinding, text: string): Promise<{ code: RightCode | null; hasNewer: boolean }> {
      const valid = await findValid(database.db, binding, clock.now())
      if (valid === null) return { code: null, hasNewer: false }
      const isSame = isHashOf(valid, secrets.hash(binding, findCode(text) ?? ''))
      return { code: isSame ? { id: valid.id, email: binding.email } : null, hasNewer: !isSame }
    },
    /** Claims a right code and ends the address's other codes of its kind; returns false if it was used meanwhile. */
    async claim(tx: Db, code: RightCode, binding: CodeBinding): Promise<boolean> {
      const isClaimed = await claimCode(tx, code.id, clock.now())
      if (isClaimed) await endCodes(tx, binding, clock.now())
      return isClaimed
    },
    /** Emails a requested code. May run twice: a sent code is not sent again. */
    async send(codeId: string): Promise<void> {
      const prepared = await prepare(codeId)
      if (prepared === null) return
      const { email, ...recipient } = prepared
      const isSent = await emails.sendCode({ ...recipient, messageId: `code-${codeId}` }, email)
      if (isSent) await markSent(database.db, codeId, clock.now())
      else await endCodes(database.db, { id: codeId }, clock.now())
    },
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
