import { withKeyword } from '@tidings/contracts/delivery/methods'
import type { SmsSender } from '#integrations/sms/sms-sender.ts'
import type { PlatformDeps } from '#platform/membership-apps/platform-deps.ts'
import { claimMailEvent, hasMailEvent } from '../bounces/mail-events.repository.ts'
import type { SignedLinks } from '../links/signed-links.ts'
import type { SmsLinks } from '../links/sms-links.ts'
import { smsMethods, toWireMethod } from '../methods.ts'
import type { LinkService } from '../pages/links.service.ts'
import { liftNumber, numberRefusal, suppressNumber } from '../suppression/number-suppression.repository.ts'
import { handledKeyword, isRepliedByTwilio, type Keyword, keywordOf } from './keywords.ts'
import {
  listMembersOfNumber,
  listUnconfirmedSms,
  type MemberOfNumber,
  markSmsDelivered,
  markSmsFailed,
  markSmsSent,
  storeStoppedMethods,
} from './sms-events.repository.ts'

type Deps = Pick<PlatformDeps, 'database' | 'clock' | 'logger'> & {
  smsSender: SmsSender
  links: Pick<LinkService, 'changeMethods'>
  signedLinks: Pick<SignedLinks, 'open'>
  smsLinks: Pick<SmsLinks, 'open'>
  words: Readonly<Record<Keyword, string>>
  lookupSeconds: number
}

/** The status of a text at Twilio. */
type SmsStatus = { deliveryId: string; number: string; status: string; errorCode: string }

/** A reply from a phone. `optOutType`: the keyword that Twilio has recognized and replied to; empty for none. */
type IncomingSms = { id: string; from: string; body: string; optOutType: string }

// Twilio's clock and ours may differ.
const clockSkewMs = 60_000

export type SmsEvents = ReturnType<typeof createSmsEvents>

/** Creates the service of Twilio's webhooks: stores the results of texts, and the choices of members who reply. */
export function createSmsEvents(deps: Deps) {
  const { database, clock, logger, smsSender, links, signedLinks, smsLinks, words } = deps

  async function record({ deliveryId, number, status, errorCode }: SmsStatus): Promise<void> {
    const now = clock.now()
    if (status === 'delivered' || status === 'read') await markSmsDelivered(database.db, deliveryId, now)
    else if (status === 'undelivered' || status === 'failed') {
      const reason = `${errorCode} ${status}`.trim()
      const kind = numberRefusal(errorCode)
      await database.transaction(async (tx) => {
        const isNew = await markSmsFailed(tx, deliveryId, reason, now)
        if (isNew && kind !== null) await suppressNumber(tx, { number, kind, reason, now })
      })
    } else await markSmsSent(database.db, deliveryId, now)
  }

  /** Returns the delivery of a text by the link in it; null for another text. */
  function deliveryOf(body: string): string | null {
    const short = smsLinks.open(/\/l\/([\w-]+)(?!\S)/.exec(body)?.[1] ?? '')
    if (short.status === 'valid') return short.deliveryId
    for (const purpose of ['view', 'pdf', 'a4'] as const) {
      const token = new RegExp(`/l/${purpose}/(\\S+)`).exec(body)?.[1]
      const link = token === undefined ? null : signedLinks.open(purpose, token)
      if (link?.status === 'valid') return link.subject
    }
    return null
  }

  async function stopSms(memberId: string): Promise<void> {
    await links.changeMethods(memberId, async (methods, tx) => {
      const stoppedMethods = smsMethods.filter((method) => methods.has(toWireMethod(method)))
      // A second STOP turns nothing off, and START still turns on what the first one did.
      if (stoppedMethods.length > 0) await storeStoppedMethods(tx, { memberId, stoppedMethods })
      return withKeyword(methods, 'stop', [])
    })
  }

  /** Turns on the methods that STOP turned off, or else memos by text, unless the member gets texts or the digest. */
  async function startSms({ memberId, stoppedMethods }: MemberOfNumber): Promise<void> {
    const stopped = smsMethods.filter((method) => stoppedMethods.includes(method)).map(toWireMethod)
    await links.changeMethods(memberId, (methods) => {
      const started = withKeyword(methods, 'start', stopped)
      return started === methods ? null : started
    })
  }

  return {
    record,

    /** Changes the preferences of the members with this number. Returns a reply, unless Twilio replies itself. */
    async receive({ id, from: number, body, optOutType }: IncomingSms): Promise<string | null> {
      const keyword = handledKeyword(optOutType) ?? keywordOf(body)
      if (keyword === null) return null
      const now = clock.now()
      const eventId = `twilio ${id}`
      if (await hasMailEvent(database.db, eventId)) return null
      if (keyword !== 'help') {
        if (keyword === 'start') await liftNumber(database.db, number, now)
        for (const member of await listMembersOfNumber(database.db, number)) {
          if (keyword === 'start') await startSms(member)
          else await stopSms(member.memberId)
        }
      }
      // Last, so that Twilio's repetition of a call that failed makes the change.
      await claimMailEvent(database.db, eventId, now)
      return optOutType !== '' || isRepliedByTwilio(body) ? null : words[keyword]
    },

    /** Looks up texts whose reply was lost at Twilio. One that it doesn't have stays unconfirmed. */
    async lookUp(): Promise<void> {
      const since = new Date(clock.now().getTime() - deps.lookupSeconds * 1000)
      for (const { id, recipient, claimedAt } of await listUnconfirmedSms(database.db, since)) {
        try {
          const from = new Date(claimedAt.getTime() - clockSkewMs)
          const found = (await smsSender.listTo(recipient, from)).find(({ body }) => deliveryOf(body) === id)
          if (found !== undefined) await record({ deliveryId: id, number: recipient, ...found })
        } catch (error) {
          logger.warn({ err: error }, 'text lookup failed')
          return
        }
      }
    },
  }
}
