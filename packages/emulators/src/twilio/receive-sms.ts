import type { AccountStore, Sms } from './accounts.ts'
import type { Callbacks } from './callbacks.ts'

type Deps = {
  callbacks: Callbacks
  /** The site's address for replies, for which they are signed. Without it, none are reported. */
  incomingUrl: string | undefined
}

const keywords: Record<string, { isOptedOut: boolean | null; reply: string }> = {
  STOP: {
    isOptedOut: true,
    reply:
      'You have successfully been unsubscribed. You will not receive any more messages from this number. Reply START to resubscribe.',
  },
  START: {
    isOptedOut: false,
    reply:
      'You have successfully been re-subscribed to messages from this number. Reply HELP for help. Reply STOP to unsubscribe. Msg&Data Rates May Apply.',
  },
  HELP: { isOptedOut: null, reply: 'Reply STOP to unsubscribe. Msg&Data Rates May Apply.' },
}

const synonyms: Record<string, string> = {
  STOPALL: 'STOP',
  UNSUBSCRIBE: 'STOP',
  CANCEL: 'STOP',
  END: 'STOP',
  QUIT: 'STOP',
  REVOKE: 'STOP',
  OPTOUT: 'STOP',
  YES: 'START',
  UNSTOP: 'START',
  INFO: 'HELP',
}

/** Receives a person's reply: opts out as Twilio does, reports it to the site, and delivers the site's TwiML. */
export function createSmsReceiver({ callbacks, incomingUrl }: Deps) {
  function reply(store: AccountStore, to: string, body: string) {
    const { number: from } = store.account
    store.add({
      direction: 'outbound-reply',
      to,
      from,
      messagingServiceSid: null,
      body,
      status: 'delivered',
      errorCode: null,
    })
  }

  return async (store: AccountStore, from: string, body: string): Promise<Sms> => {
    const { sid, authToken, number: to } = store.account
    const sms = store.add({
      direction: 'inbound',
      to,
      from,
      messagingServiceSid: null,
      body,
      status: 'received',
      errorCode: null,
    })
    const word = body.trim().toUpperCase()
    const keyword = keywords[synonyms[word] ?? word]
    if (keyword?.isOptedOut === true) store.optedOut.add(from)
    if (keyword?.isOptedOut === false) store.optedOut.delete(from)
    if (keyword !== undefined) reply(store, from, keyword.reply)
    if (incomingUrl === undefined) return sms
    const fields = {
      AccountSid: sid,
      ApiVersion: '2010-04-01',
      From: from,
      To: to,
      Body: body,
      NumMedia: '0',
    }
    const twiml = await callbacks.post(incomingUrl, authToken, {
      ...fields,
      MessageSid: sms.sid,
      SmsSid: sms.sid,
      SmsStatus: 'received',
    })
    // After an opt-out, Twilio drops what the site replies.
    if (store.optedOut.has(from)) return sms
    for (const [, message = ''] of twiml.matchAll(/<Message>([^<]*)<\/Message>/g)) {
      reply(store, from, unescapeXml(message))
    }
    return sms
  }
}

function unescapeXml(text: string): string {
  const entities: Record<string, string> = { lt: '<', gt: '>', quot: '"', apos: "'", amp: '&' }
  return text.replaceAll(/&(lt|gt|quot|apos|amp);/g, (_whole, name: string) => entities[name] ?? '')
}
