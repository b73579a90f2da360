import type { SmsSender } from '#integrations/sms/sms-sender.ts'
import { fail } from '#platform/errors.ts'
import type { PlatformDeps } from '#platform/membership-apps/platform-deps.ts'
import type { SendingGuard } from '#platform/sending-guard/sending-guard.ts'
import { numberRefusal, suppressNumber } from '../suppression/number-suppression.repository.ts'
import { replyOf } from '../transports.ts'
import {
  claimProgramSms,
  endProgramSms,
  findUnendedSms,
  isNumberSuppressed,
  releaseProgramSms,
  type Verification,
} from './program-sms.repository.ts'

type Deps = Pick<PlatformDeps, 'database' | 'clock'> & {
  smsSender: SmsSender
  sendingGuard: Pick<SendingGuard, 'check'>
  /** The text itself. */
  welcome: string
}

/** How long a text without a reply may still be on its way to Twilio. */
const inFlightMs = 60_000
// Twilio's clock and ours may differ.
const clockSkewMs = 60_000

/** Creates the sender of the text that confirms a verified number: the program, its cost and how to end it. */
export function createProgramSms({ database, clock, smsSender, sendingGuard, welcome }: Deps) {
  /** Claims the text for this worker; returns false if it is sent already. Throws while another one may be sending it. */
  async function claim(
    verification: Verification,
    { number, claimedAt }: { number: string; claimedAt: Date | null },
  ): Promise<boolean> {
    const now = clock.now()
    if (claimedAt !== null) {
      if (now.getTime() - claimedAt.getTime() < inFlightMs) throw new Error('text in flight')
      // Its worker was lost, or its reply: only Twilio knows whether it has it.
      const sent = await smsSender.listTo(number, new Date(claimedAt.getTime() - clockSkewMs))
      if (sent.some(({ body }) => body === welcome)) return false
    }
    const isClaimed = await claimProgramSms(database.db, verification, { voidClaim: claimedAt, now })
    if (!isClaimed) throw new Error('text in flight')
    return true
  }

  return {
    /** Confirms a verification by text, unless that has ended. Throws when it must be tried again later. */
    async confirm(verification: Verification): Promise<void> {
      const text = await findUnendedSms(database.db, verification)
      if (text === null) return
      const { number } = text
      const hold = await sendingGuard.check()
      if (hold !== null) throw fail('sending-held', hold)
      const isWanted = !(await isNumberSuppressed(database.db, number))
      if (isWanted && (await claim(verification, text))) await send(verification, number)
      await endProgramSms(database.db, verification, clock.now())
    },
  }

  async function send(verification: Verification, number: string): Promise<void> {
    const result = await smsSender.send({ to: number, body: welcome })
    if (result.outcome === 'accepted') return
    const { outcome, code } = result
    const reason = replyOf(result)
    if (outcome === 'permanent') {
      const kind = numberRefusal(code)
      if (kind !== null) await suppressNumber(database.db, { number, kind, reason, now: clock.now() })
      return
    }
    if (outcome !== 'unknown') await releaseProgramSms(database.db, verification)
    throw new Error(`text not sent: ${reason}`)
  }
}
