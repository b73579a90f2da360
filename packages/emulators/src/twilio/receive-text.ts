import type { AccountTexts, Text } from './accounts.ts'
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
export function createTextReceiver({ callbacks, incomingUrl }: Deps) {
  function reply(texts: AccountTexts, to: string, body: string) {
    const { number: from } = texts.account
    texts.add({
      direction: 'outbound-reply',
      to,
      from,
      messagingServiceSid: null,
      body,
      status: 'delivered',
      errorCode: null,
    })
  }

  return async (texts: AccountTexts, from: string, body: string): Promise<Text> => {
    const { sid, authToken, number: to } = texts.account
    const text = texts.add({
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
    if (keyword?.isOptedOut === true) texts.optedOut.add(from)
    if (keyword?.isOptedOut === false) texts.optedOut.delete(from)
    if (keyword !== undefined) reply(texts, from, keyword.reply)
    if (incomingUrl === undefined) return text
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
      MessageSid: text.sid,
      SmsSid: text.sid,
      SmsStatus: 'received',
    })
    // After an opt-out, Twilio drops what the site replies.
    if (texts.optedOut.has(from)) return text
    for (const [, message = ''] of twiml.matchAll(/<Message>([^<]*)<\/Message>/g)) {
      reply(texts, from, unescapeXml(message))
    }
    return text
  }
}

function unescapeXml(text: string): string {
  const entities: Record<string, string> = { lt: '<', gt: '>', quot: '"', apos: "'", amp: '&' }
  return text.replaceAll(/&(lt|gt|quot|apos|amp);/g, (_whole, name: string) => entities[name] ?? '')
}
