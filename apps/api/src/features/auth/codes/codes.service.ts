import { findCode } from '@tidings/contracts/membership/typed-text'
import type { Db } from '#platform/database.ts'
import type { MembershipApp } from '#platform/membership-apps/membership-apps.ts'
import { mailboxOf } from '#platform/text/email-address.ts'
import type { AuthDeps } from '../auth.deps.ts'
import type { Caller } from '../caller.ts'
import { createGuessCounter } from './code-guesses.ts'
import { expiryOf } from './code-lifetimes.ts'
import type { CodeBinding, CodePurpose } from './code-secrets.ts'
import { type CodeSenderDeps, createCodeSender } from './code-sender.ts'
import { sendCode } from './codes.jobs.ts'
import { claimCode, createCode, endCodes, findValid } from './codes.repository.ts'
import { createResetCheck, type ResetCheckDeps, type RightCode } from './reset-check.ts'
import { createTryTaker, isHashOf } from './taken-tries.ts'

type Deps = CodeSenderDeps & ResetCheckDeps & Pick<AuthDeps, 'jobs' | 'ids' | 'rateLimits'>

export type CodeService = ReturnType<typeof createCodeService>

/**
 * Creates the service of one-time codes by email: six digits, stored as a hash, bound to their purpose, with few tries.
 */
export function createCodeService(deps: Deps) {
  const { database, jobs, sources, secrets, clock, ids } = deps
  const countGuess = createGuessCounter(deps)
  const takeTry = createTryTaker(deps)

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
        expiresAt: expiryOf(purpose, clock.now()),
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
    checkReset: createResetCheck(deps),
    send: createCodeSender(deps),
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
  }
}
