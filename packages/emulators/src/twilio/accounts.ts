import { createHash } from 'node:crypto'

export type TwilioAccount = { sid: string; authToken: string; number: string }

/** The predefined account, whose number receives the replies of phones. */
export const builtInAccount: TwilioAccount = {
  sid: 'AC00000000000000000000000074696464',
  authToken: 'tidings-local-token',
  number: '+15005550006',
}

/** A text, from the site or from a person. */
export type Text = {
  sid: string
  direction: 'outbound-api' | 'outbound-reply' | 'inbound'
  to: string
  from: string
  messagingServiceSid: string | null
  body: string
  status: 'queued' | 'sent' | 'delivered' | 'undelivered' | 'received'
  errorCode: number | null
  createdAt: Date
}

export type AccountTexts = ReturnType<typeof createAccountTexts>

const limit = 100_000

/** Stores the newest texts of an account in memory, and the numbers that have opted out. */
export function createAccountTexts(account: TwilioAccount, now: () => Date) {
  const texts = new Map<string, Text>()
  /** The texts from and to each number, oldest first. */
  const byNumber = new Map<string, Text[]>()
  const optedOut = new Set<string>()
  let count = 0

  function index(number: string, text: Text) {
    const known = byNumber.get(number) ?? []
    if (known.length === 0) byNumber.set(number, known)
    known.push(text)
  }

  return {
    account,
    optedOut,
    add(text: Omit<Text, 'sid' | 'createdAt'>): Text {
      count += 1
      const createdAt = now()
      const added = { ...text, sid: sidOf(`${account.sid} ${createdAt.getTime()} ${count}`), createdAt }
      texts.set(added.sid, added)
      index(added.to, added)
      index(added.from, added)
      const [oldest] = texts.values()
      if (texts.size > limit && oldest !== undefined) {
        texts.delete(oldest.sid)
        for (const number of [oldest.to, oldest.from]) byNumber.get(number)?.shift()
      }
      return added
    },
    find: (sid: string) => texts.get(sid) ?? null,
    /** Returns the texts from and to a number, oldest first. */
    of: (number: string): readonly Text[] => byNumber.get(number) ?? [],
    list: () => [...texts.values()],
  }
}

/** Returns an id that a restarted emulator does not repeat. */
function sidOf(name: string): string {
  return `SM${createHash('sha256').update(name).digest('hex').slice(0, 32)}`
}
