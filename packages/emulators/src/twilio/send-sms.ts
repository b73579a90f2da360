import type { Inbox } from '../inbox/inbox.ts'
import type { AccountStore, Sms } from './accounts.ts'
import type { Callbacks } from './callbacks.ts'
import { TwilioError, type TwilioErrorCode } from './errors.ts'
import type { TwilioFaultsStore } from './faults.ts'

type Deps = { inbox: Inbox; faults: TwilioFaultsStore; callbacks: Callbacks }

const e164 = /^\+[1-9]\d{6,14}$/
const maxCharacters = 1_600

/** Accepts the SMS of `POST …/Messages.json` and reports their status. */
export function createSmsSender({ inbox, faults, callbacks }: Deps) {
  let received = 0

  function isNth(every: number) {
    return every > 0 && received % every === 0
  }

  /** Returns the error that Twilio has for an SMS; null if it accepts it. */
  function refusalOf(store: AccountStore, fields: URLSearchParams): TwilioErrorCode | null {
    const to = fields.get('To') ?? ''
    const { current } = faults
    if (isNth(current.rateLimitEvery)) return 20429
    if (isNth(current.failEvery)) return 20500
    if (!e164.test(to) || current.invalid.includes(to)) return 21211
    if (current.landline.includes(to)) return 21614
    if (!fields.get('From') && !fields.get('MessagingServiceSid')) return 21603
    if (store.optedOut.has(to)) return 21610
    const body = fields.get('Body') ?? ''
    if (body === '') return 21602
    return body.length > maxCharacters ? 21617 : null
  }

  function report(store: AccountStore, sms: Sms, url: string | null) {
    const isUnreachable = faults.current.unreachable.includes(sms.to)
    sms.status = isUnreachable ? 'undelivered' : 'delivered'
    sms.errorCode = isUnreachable ? 30005 : null
    if (url === null || faults.current.callbacks === 'off') return
    const { sid, authToken } = store.account
    const statuses = ['sent', sms.status].map((status) => ({
      AccountSid: sid,
      ApiVersion: '2010-04-01',
      From: sms.from,
      To: sms.to,
      MessageSid: sms.sid,
      SmsSid: sms.sid,
      MessageStatus: status,
      SmsStatus: status,
      ...(sms.errorCode !== null && status !== 'sent' && { ErrorCode: String(sms.errorCode) }),
    }))
    const { callbacks: order } = faults.current
    const sent = order === 'reversed' ? statuses.toReversed() : statuses
    callbacks.enqueue(url, authToken, order === 'repeated' ? [...sent, ...sent] : sent)
  }

  return {
    /** Accepts an SMS. Throws Twilio's error when it refuses it, and also when it only says so. */
    send(store: AccountStore, fields: URLSearchParams): Sms {
      received += 1
      const refusal = refusalOf(store, fields)
      if (refusal !== null) throw new TwilioError(refusal)
      const sms = store.add({
        direction: 'outbound-api',
        to: fields.get('To') ?? '',
        from: fields.get('From') || store.account.number,
        messagingServiceSid: fields.get('MessagingServiceSid') || null,
        body: fields.get('Body') ?? '',
        status: 'queued',
        errorCode: null,
      })
      const accepted = { ...sms }
      inbox.add({
        kind: 'sms',
        to: [sms.to],
        from: sms.from,
        subject: '',
        text: sms.body,
        html: '',
        headers: {},
        attachments: [],
        envelopeFrom: '',
        source: '',
      })
      report(store, sms, fields.get('StatusCallback'))
      if (isNth(faults.current.failAcceptedEvery)) throw new TwilioError(20500)
      return accepted
    },
  }
}
