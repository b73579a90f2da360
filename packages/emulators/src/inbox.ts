/** A file that came with a message; its content in Base64. */
export type Attachment = {
  filename: string
  contentType: string
  /** Bytes of the file itself, before Base64. */
  size: number
  /** What the message's HTML calls it after `cid:`, when it does. */
  contentId?: string
  content: string
}

/** One message as it arrived. `kind` says by which way. */
export type Message = {
  id: string
  kind: 'email'
  /** Those it was really handed over for, blind copies included. */
  to: string[]
  from: string
  subject: string
  text: string
  html: string
  /** By lower-case name; a header that came several times has its values joined with line breaks. */
  headers: Record<string, string>
  attachments: Attachment[]
  /** ISO 8601, UTC. */
  receivedAt: string
}

export type Inbox = {
  add(message: Omit<Message, 'id' | 'receivedAt'>): Message
  /** Newest first; with `to`, only those to this address, upper and lower case alike. */
  list(to?: string): Message[]
  find(id: string): Message | null
  clear(): void
}

type Options = { now: () => Date; limit?: number; maxBytes?: number }

/** Keeps the newest messages in memory, at most `limit` of them and about `maxBytes` in all, and forgets the rest. */
export function createInbox({ now, limit = 1_000, maxBytes = 200_000_000 }: Options): Inbox {
  let messages: Message[] = []
  let count = 0
  return {
    add(message) {
      count += 1
      const added = { ...message, id: `msg_${count}`, receivedAt: now().toISOString() }
      messages = newestWithin([added, ...messages.slice(0, limit - 1)], maxBytes)
      return added
    },
    list(to) {
      const wanted = to?.trim().toLowerCase()
      return wanted
        ? messages.filter((message) => message.to.some((one) => one.toLowerCase() === wanted))
        : messages
    },
    find: (id) => messages.find((message) => message.id === id) ?? null,
    clear() {
      messages = []
    },
  }
}

function newestWithin(messages: Message[], maxBytes: number) {
  let bytes = 0
  return messages.filter((message, index) => {
    bytes += message.text.length + message.html.length
    for (const attachment of message.attachments) bytes += attachment.content.length
    return index === 0 || bytes <= maxBytes
  })
}
