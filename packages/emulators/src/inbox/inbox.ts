/** An attachment. `content` is Base64. */
export type Attachment = {
  filename: string
  contentType: string
  /** Bytes before Base64. */
  size: number
  /** The id after `cid:` in the HTML part. */
  contentId?: string
  content: string
}

/** A received message. */
export type Message = {
  id: string
  kind: 'email' | 'sms'
  /** The envelope's recipients, including blind copies; of a text, the number. */
  to: string[]
  from: string
  subject: string
  text: string
  html: string
  /** By lower-case name. Repeated headers are joined with line breaks. */
  headers: Record<string, string>
  attachments: Attachment[]
  /** The return address; empty for a bounce. */
  envelopeFrom: string
  /** As it arrived, a byte per character. */
  source: string
  /** ISO 8601, UTC. */
  receivedAt: string
}

export type Inbox = {
  add(message: Omit<Message, 'id' | 'receivedAt'>): Message
  /** Lists messages, newest first. `to` filters by recipient, ignoring case. */
  list(to?: string): Message[]
  find(id: string): Message | null
  clear(): void
}

type Options = { now: () => Date; limit?: number; maxBytes?: number }

/** Stores the newest messages in memory, up to `limit` messages and about `maxBytes`. */
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
    bytes += message.text.length + message.html.length + message.source.length
    for (const attachment of message.attachments) bytes += attachment.content.length
    return index === 0 || bytes <= maxBytes
  })
}
