import { createHash } from 'node:crypto'

export type TwilioAccount = { sid: string; authToken: string; number: string }

/** The predefined account, whose number receives the replies of phones. */
export const builtInAccount: TwilioAccount = {
  sid: 'AC00000000000000000000000074696464',
  authToken: 'tidings-local-token',
  number: '+15005550006',
}

/** An SMS, from the site or from a person. */
export type Sms = {
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

export type AccountStore = ReturnType<typeof createAccountStore>

const limit = 100_000

/** Stores the newest SMS of an account in memory, and the numbers that have opted out. */
export function createAccountStore(account: TwilioAccount, now: () => Date) {
  const messages = new Map<string, Sms>()
  /** The SMS from and to each number, oldest first. */
  const byNumber = new Map<string, Sms[]>()
  const optedOut = new Set<string>()
  let count = 0

  function index(number: string, sms: Sms) {
    const known = byNumber.get(number) ?? []
    if (known.length === 0) byNumber.set(number, known)
    known.push(sms)
  }

  return {
    account,
    optedOut,
    add(sms: Omit<Sms, 'sid' | 'createdAt'>): Sms {
      count += 1
      const createdAt = now()
      const added = { ...sms, sid: sidOf(`${account.sid} ${createdAt.getTime()} ${count}`), createdAt }
      messages.set(added.sid, added)
      index(added.to, added)
      index(added.from, added)
      const [oldest] = messages.values()
      if (messages.size > limit && oldest !== undefined) {
        messages.delete(oldest.sid)
        for (const number of [oldest.to, oldest.from]) byNumber.get(number)?.shift()
      }
      return added
    },
    find: (sid: string) => messages.get(sid) ?? null,
    /** Returns the SMS from and to a number, oldest first. */
    of: (number: string): readonly Sms[] => byNumber.get(number) ?? [],
    list: () => [...messages.values()],
  }
}

/** Returns an id that a restarted emulator does not repeat. */
function sidOf(name: string): string {
  return `SM${createHash('sha256').update(name).digest('hex').slice(0, 32)}`
}
