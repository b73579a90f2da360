import { limits } from '@tidings/contracts/limits'
import type { Phone, VerifyPhoneRequest } from '@tidings/contracts/membership/phone'
import { findCode, hasVisibleText } from '@tidings/contracts/membership/typed-text'
import { siteMessages } from '@tidings/contracts/site/site-messages'
import type { Caller, CodeSecrets } from '#features/auth/index.ts'
import { confirmProgram, toText } from '#features/delivery/index.ts'
import { fail as failMember, findMember, lockMember, type MemberRow } from '#features/members/index.ts'
import type { SmsLimits } from '#features/sms-limits/index.ts'
import type { RateLimits } from '#http/limits/rate-limits.ts'
import type { SmsSender } from '#integrations/sms/sms-sender.ts'
import type { Db } from '#platform/database.ts'
import { fail as failPlatform } from '#platform/errors.ts'
import { asObject } from '#platform/free-json.ts'
import type { PlatformDeps } from '#platform/membership-apps/platform-deps.ts'
import { parsePhoneNumber } from '#platform/phone/phone-number.ts'
import { heldCode } from '#platform/sending-guard/hold-reasons.ts'
import { equalInConstantTime } from '#platform/signing.ts'
import { fail } from './phone.errors.ts'
import {
  claimCode,
  endCode,
  findPhone,
  isSuppressed,
  isTimeZone,
  liftSuppression,
  storeCode,
  takeTry,
  updateText,
} from './phone.repository.ts'

type Deps = Pick<PlatformDeps, 'database' | 'clock' | 'ids' | 'logger' | 'jobs'> & {
  smsSender: SmsSender
  rateLimits: RateLimits
  smsLimits: SmsLimits
  secrets: CodeSecrets
  region: string
  siteName: string
  siteUrl: URL
  /** Whether the site sends texts at all. */
  isSetUp: boolean
  /** How often one code may be tried. */
  tries: number
}

/** Twilio's code for a number whose owner texted STOP. */
const stoppedCode = '21610'

export type PhoneService = ReturnType<typeof createPhoneService>

/** Verifies members' phone numbers by a code in a text, and records their consent to texts. */
export function createPhoneService(deps: Deps) {
  const { database, clock, ids, jobs, smsSender, rateLimits, smsLimits, secrets, region, isSetUp } = deps

  /** Returns the number that the member typed, whether it is verified, and why it gets no code. */
  async function read(db: Db, memberId: string): Promise<Phone & { text: string; member: MemberRow }> {
    const member = await findMember(db, memberId)
    if (member === null) throw failMember('member-not-found')
    const { phone } = asObject(member.customFields)
    const text = typeof phone === 'string' ? phone : ''
    const number = parsePhoneNumber(text, region)
    const given = { text, number, member }
    if (number === null)
      return { ...given, state: !hasVisibleText(text) ? 'missing' : 'invalid', obstacle: null }
    const stored = await findPhone(db, memberId)
    const isVerified = stored?.verifiedAt != null && stored.text === text && !(await isSuppressed(db, number))
    if (isVerified) return { ...given, state: 'verified', obstacle: smsLimits.obstacleOf(number) }
    const emailObstacle = isSetUp && !member.verified ? 'email-not-verified' : null
    return { ...given, state: 'unverified', obstacle: smsLimits.obstacleOf(number) ?? emailObstacle }
  }

  function hashOf(memberId: string, number: string, digits: string): string {
    return secrets.hash({ appId: memberId, purpose: 'phone', email: number }, digits)
  }

  return {
    async get(memberId: string): Promise<Phone> {
      const { number, state, obstacle } = await read(database.db, memberId)
      return { number, state, obstacle }
    },

    /** Texts a code to the member's number, unless it is verified already. */
    async sendCode(memberId: string, caller: Caller): Promise<Phone> {
      await rateLimits.consume('codes', caller.ip)
      const { text, number, obstacle, member } = await read(database.db, memberId)
      if (number === null) throw fail('invalid-phone')
      const stored = await findPhone(database.db, memberId)
      const isKnown = stored?.verifiedAt != null && stored.number === number
      if (isKnown && !(await isSuppressed(database.db, number))) {
        await updateText(database.db, memberId, text)
        return { number, state: 'verified', obstacle: smsLimits.obstacleOf(number) }
      }
      smsLimits.assertSmsNumber(number)
      if (obstacle === 'email-not-verified') throw fail(obstacle)
      await rateLimits.consume('networkPhoneCodes', caller.ip)
      const textId = await smsLimits.take({ kind: 'code', number, member })
      const digits = secrets.digitsOf(ids.uuid(), 0)
      const codeHash = hashOf(memberId, number, digits)
      const now = clock.now()
      await storeCode(database.db, {
        memberId,
        text,
        number,
        codeHash,
        codeExpiresAt: new Date(now.getTime() + limits.shortCodeMinutes * 60_000),
        consentAt: now,
        consentOrigin: caller.origin,
        consentText: siteMessages.smsConsent,
      })
      const result = await smsSender.send({ to: number, body: textOf(digits, deps) })
      // A text that may have been accepted leaves its code valid.
      if (result.outcome === 'accepted' || result.outcome === 'unknown')
        return { number, state: 'unverified', obstacle: null }
      await endCode(database.db, { memberId, codeHash })
      await (result.outcome === 'permanent' ? smsLimits.refuse(textId) : smsLimits.giveBack(textId))
      if (result.outcome === 'permanent') throw fail('phone-refused', result.code === stoppedCode)
      deps.logger.warn({ code: result.code, reason: result.response }, 'verification text not sent')
      if (result.code === heldCode) throw failPlatform('sending-held', result.response)
      throw fail('service-unavailable')
    },

    /** Verifies the member's number by its code. Throws `invalid-verification-code`. */
    async verify(memberId: string, request: VerifyPhoneRequest, caller: Caller): Promise<Phone> {
      await rateLimits.consume('codeTries', caller.ip)
      const taken = await takeTry(database.db, memberId, { tries: deps.tries, now: clock.now() })
      const given = hashOf(memberId, taken?.number ?? '', findCode(request.code) ?? '')
      if (taken === null || !equalInConstantTime(given, taken.codeHash)) {
        throw fail('invalid-verification-code')
      }
      const { timeZone } = request
      return await database.transaction(async (tx) => {
        await lockMember(tx, memberId)
        // The number may have changed since the code was sent.
        const { text, number, obstacle } = await read(tx, memberId)
        const verifiedAt = clock.now()
        const change = {
          verifiedAt,
          timeZone: timeZone != null && (await isTimeZone(tx, timeZone)) ? timeZone : null,
        }
        const isClaimed = text === taken.text && (await claimCode(tx, { memberId, ...taken }, change))
        if (!isClaimed) throw fail('invalid-verification-code')
        await liftSuppression(tx, taken.number, verifiedAt)
        await smsLimits.enter(tx, memberId, taken.number)
        await jobs.enqueue(tx, confirmProgram, { memberId, verifiedAt: verifiedAt.toISOString() })
        return { number, state: 'verified', obstacle }
      })
    },
  }
}

/** The last line lets browsers fill in the code on this site only. */
function textOf(digits: string, { siteName, siteUrl }: Pick<Deps, 'siteName' | 'siteUrl'>): string {
  const text = `${digits} is your ${siteName} code. It expires in ${limits.shortCodeMinutes} minutes and works once. Never share it.`
  return `${toText(text)}\n\n@${siteUrl.hostname} #${digits}`
}
