import { once } from 'node:events'
import type { AddressInfo, Socket } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'
import PostalMime, { type Address, type Email, type Attachment as ParsedAttachment } from 'postal-mime'
import { SMTPServer, type SMTPServerDataStream, type SMTPServerSession } from 'smtp-server'
import type { Attachment, Inbox } from '../inbox/inbox.ts'
import { sendBounce } from './bounce.ts'
import type { SmtpFaultsStore } from './smtp-faults.ts'

type Options = {
  inbox: Inbox
  faults: SmtpFaultsStore
  host: string
  port: number
  bounceUrl?: string | undefined
  maxBytes?: number
}

/** A running SMTP server. `url` is the value for `SMTP_URL`. */
export type SmtpInbox = { url: string; port: number; stop(): Promise<void> }

class MessageTooBigError extends Error {
  responseCode = 552
}

class RecipientError extends Error {
  readonly responseCode: number

  constructor(responseCode: number, message: string) {
    super(message)
    this.responseCode = responseCode
  }
}

/**
 * Receives every email and forwards none. Accepts any login, or none. Port 0 takes a free one. Rejects when the
 * port is taken.
 */
export async function startSmtpInbox({
  inbox,
  faults,
  host,
  port,
  bounceUrl,
  maxBytes = 25_000_000,
}: Options): Promise<SmtpInbox> {
  let recipients = 0
  /** Messages by connection. */
  const counts = new Map<string, number>()
  const closing = new AbortController()

  function checkRecipient(address: string): void {
    const { refuse, refuseEvery, throttleEvery, block, full } = faults.current
    if (block.includes(address.toLowerCase().split('@').at(-1) ?? '')) {
      throw new RecipientError(550, '5.7.1 Messages from your network are on our block list')
    }
    if (full.includes(address.toLowerCase())) throw new RecipientError(552, '5.2.2 Mailbox full')
    recipients += 1
    if (refuse.includes(address.toLowerCase()) || (refuseEvery > 0 && recipients % refuseEvery === 0)) {
      throw new RecipientError(550, `5.1.1 <${address}> does not exist`)
    }
    if (throttleEvery > 0 && recipients % throttleEvery === 0) {
      throw new RecipientError(454, '4.7.0 Too many messages, try again later')
    }
  }

  /** Returns whether this connection has sent as many messages as it may. */
  function isCut({ id }: SMTPServerSession): boolean {
    const count = (counts.get(id) ?? 0) + 1
    counts.set(id, count)
    return faults.current.cutAfter !== null && count > faults.current.cutAfter
  }

  const server = new SMTPServer({
    banner: 'Tidings inbox: no email leaves this machine',
    authOptional: true,
    allowInsecureAuth: true,
    disabledCommands: ['STARTTLS'],
    disableReverseLookup: true,
    size: maxBytes,
    onAuth: (auth, _session, done) => done(null, { user: auth.username ?? 'anybody' }),
    onRcptTo({ address }, _session, done) {
      try {
        checkRecipient(address)
        done()
      } catch (error) {
        done(error instanceof Error ? error : new Error(String(error)))
      }
    },
    onData(stream, session, done) {
      const isLast = isCut(session)
      const { slowMs, keepsCut } = faults.current
      receive(stream, session, { inbox, faults, bounceUrl, maxBytes, isKept: !isLast || keepsCut })
        .then(() => pause(slowMs, undefined, { signal: closing.signal, ref: slowMs > 0 }).catch(() => {}))
        .then(() => (isLast ? sockets.get(session.remotePort)?.destroy() : done()), done)
    },
    onClose: ({ id }) => void counts.delete(id),
  })
  // To cut a connection, as a crash does.
  const sockets = new Map<number, Socket>()
  server.server.on('connection', (socket) => {
    const { remotePort = 0 } = socket
    sockets.set(remotePort, socket)
    socket.once('close', () => sockets.delete(remotePort))
  })
  server.listen(port, host)
  await once(server.server, 'listening')
  // A client that disconnects early must not stop the server.
  server.on('error', () => {})
  const address = server.server.address()
  const actualPort = isAddressInfo(address) ? address.port : port
  return {
    url: `smtp://${host}:${actualPort}`,
    port: actualPort,
    stop: () => {
      closing.abort()
      return new Promise((resolve) => server.close(() => resolve()))
    },
  }
}

async function receive(
  stream: SMTPServerDataStream,
  session: SMTPServerSession,
  {
    inbox,
    faults,
    bounceUrl,
    maxBytes,
    isKept,
  }: Pick<Options, 'inbox' | 'faults' | 'bounceUrl'> & { maxBytes: number; isKept: boolean },
) {
  const chunks: Buffer[] = []
  for await (const chunk of stream) {
    // SMTP requires reading an oversized message to its end.
    if (!stream.sizeExceeded) chunks.push(chunk)
  }
  if (stream.sizeExceeded) throw new MessageTooBigError(`The message is over ${maxBytes} bytes.`)
  if (!isKept) return
  const source = Buffer.concat(chunks)
  const mail = await PostalMime.parse(source, { attachmentEncoding: 'base64' })
  const { mailFrom, rcptTo } = session.envelope
  inbox.add({
    kind: 'email',
    to: rcptTo.map((recipient) => recipient.address),
    from: addressOf(mail.from) ?? (mailFrom ? mailFrom.address : ''),
    subject: mail.subject ?? '',
    text: mail.text ?? '',
    html: mail.html ?? '',
    headers: headersOf(mail),
    attachments: mail.attachments.map(toAttachment),
    envelopeFrom: mailFrom ? mailFrom.address : '',
    source: source.toString('latin1'),
  })
  const { bounce } = faults.current
  const url = faults.current.bounceUrl ?? bounceUrl
  for (const { address } of rcptTo) {
    if (!mailFrom || url === undefined || !bounce.includes(address.toLowerCase())) continue
    const headers = { to: mailFrom.address, recipient: address, messageId: mail.messageId ?? '' }
    // A bounce is sent once, after the message was accepted; a server that refuses it never gets it.
    setImmediate(() => void sendBounce({ ...headers, url }).catch(() => {}))
  }
}

function headersOf({ headers }: Email): Record<string, string> {
  const byName: Record<string, string> = {}
  for (const { key, value } of headers) {
    byName[key] = byName[key] === undefined ? value : `${byName[key]}\n${value}`
  }
  return byName
}

function toAttachment({ filename, mimeType, contentId, content }: ParsedAttachment): Attachment {
  const text = typeof content === 'string' ? content : ''
  return {
    filename: filename ?? 'unnamed',
    contentType: mimeType,
    size: Buffer.from(text, 'base64').length,
    ...(contentId ? { contentId: contentId.replaceAll(/^<|>$/g, '') } : {}),
    content: text,
  }
}

function addressOf(address: Address | undefined) {
  return address?.address
}

function isAddressInfo(address: AddressInfo | string | null): address is AddressInfo {
  return address !== null && typeof address !== 'string'
}
