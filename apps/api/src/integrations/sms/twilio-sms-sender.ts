import type { Clock } from '#platform/clock.ts'
import { lazily } from '#platform/lazily.ts'
import { createPerSecond } from './per-second.ts'
import type { SmsSender } from './sms-sender.ts'
import { resultOf } from './twilio-errors.ts'

type Options = {
  clock: Clock
  account: { sid: string; authToken: string }
  /** A phone number, or the SID of a messaging service. */
  from: string
  /** The address for Twilio's reports about the text of a delivery; null for none. */
  statusUrl: URL | null
  /** The address of an emulator; null for Twilio. */
  apiUrl: URL | null
  concurrency: number
  /** Texts each second; 0 for no limit. */
  perSecond: number
  timeoutMs?: number
}

/** Sends texts through Twilio, without repeating a request. */
export function createTwilioSmsSender(options: Options): SmsSender {
  const { account, from, apiUrl, statusUrl, concurrency, timeoutMs = 15_000 } = options
  const sender = from.startsWith('MG') ? { messagingServiceSid: from } : { from }
  const takeTurn = createPerSecond(options.perSecond, options.clock)

  // Loaded with the first text, because it takes 35 MB of memory.
  const openMessages = lazily(async () => {
    const [{ default: Twilio }, { TwilioHttpClient }] = await Promise.all([
      import('twilio/lib/rest/Twilio.js'),
      import('./twilio-http-client.ts'),
    ])
    const httpClient = new TwilioHttpClient({ connections: concurrency, timeoutMs })
    const client = new Twilio(account.sid, account.authToken, { httpClient })
    if (apiUrl !== null) client.api.baseUrl = apiUrl.origin
    return client.messages
  })

  function callbackOf(deliveryId: string | undefined) {
    if (statusUrl === null || deliveryId === undefined) return {}
    const url = new URL(statusUrl)
    url.searchParams.set('delivery', deliveryId)
    return { statusCallback: url.href }
  }

  return {
    concurrency,

    async send({ to, body, deliveryId }) {
      try {
        const messages = await openMessages()
        await takeTurn()
        const { sid } = await messages.create({ ...sender, to, body, ...callbackOf(deliveryId) })
        return { outcome: 'accepted', id: sid }
      } catch (error) {
        return resultOf(error)
      }
    },

    async listTo(number, since) {
      const messages = await openMessages()
      const found = await messages.list({
        to: number,
        dateSentAfter: since,
        pageSize: 100,
        limit: 100,
        ...('from' in sender && sender),
      })
      return found.map(({ body, status, errorCode }) => ({
        body,
        status,
        errorCode: errorCode ? String(errorCode) : '',
      }))
    },
  }
}
