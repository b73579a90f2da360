import type { Clock } from '#platform/clock.ts'
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

const twilioUrl = new URL('https://api.twilio.com')

/** Sends texts through Twilio, without repeating a request. */
export function createTwilioSmsSender(options: Options): SmsSender {
  const { account, from, apiUrl, statusUrl, concurrency, timeoutMs = 15_000 } = options
  const sender = from.startsWith('MG') ? { MessagingServiceSid: from } : { From: from }
  const takeTurn = createPerSecond(options.perSecond, options.clock)
  let opening: ReturnType<typeof open> | null = null

  // Loaded with the first text, because undici takes 20 MB of memory.
  async function open() {
    const { createTwilioClient } = await import('./twilio-client.ts')
    return createTwilioClient({
      account,
      apiUrl: apiUrl ?? twilioUrl,
      connections: concurrency,
      timeoutMs,
    })
  }

  function callbackOf(deliveryId: string | undefined) {
    if (statusUrl === null || deliveryId === undefined) return {}
    const url = new URL(statusUrl)
    url.searchParams.set('delivery', deliveryId)
    return { StatusCallback: url.href }
  }

  return {
    concurrency,

    async send({ to, body, deliveryId }) {
      try {
        opening ??= open()
        const messages = await opening
        await takeTurn()
        const id = await messages.create({ To: to, ...sender, Body: body, ...callbackOf(deliveryId) })
        return { outcome: 'accepted', id }
      } catch (error) {
        return resultOf(error)
      }
    },

    async listTo(number, since) {
      opening ??= open()
      const messages = await opening
      const found = await messages.list({
        To: number,
        'DateSent>': since.toISOString().replace(/\.\d+Z$/, 'Z'),
        ...('From' in sender && sender),
      })
      return found.map(({ body, status, error_code: errorCode }) => ({
        body,
        status,
        errorCode: errorCode === null ? '' : String(errorCode),
      }))
    },
  }
}
