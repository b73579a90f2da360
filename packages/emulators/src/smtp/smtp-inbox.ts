import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import PostalMime, { type Address, type Email, type Attachment as ParsedAttachment } from 'postal-mime'
import { SMTPServer, type SMTPServerDataStream, type SMTPServerSession } from 'smtp-server'
import type { Attachment, Inbox } from '../inbox.ts'

type Options = { inbox: Inbox; host: string; port: number; maxBytes?: number }

/** A running SMTP server. `url` is the value for `SMTP_URL`. */
export type SmtpInbox = { url: string; port: number; stop(): Promise<void> }

class MessageTooBigError extends Error {
  responseCode = 552
}

/**
 * Receives every email and forwards none. Accepts any login, or none. Port 0 takes a free one. Rejects when the
 * port is taken.
 */
export async function startSmtpInbox({
  inbox,
  host,
  port,
  maxBytes = 25_000_000,
}: Options): Promise<SmtpInbox> {
  const server = new SMTPServer({
    banner: 'Tidings inbox: no email leaves this machine',
    authOptional: true,
    allowInsecureAuth: true,
    disabledCommands: ['STARTTLS'],
    disableReverseLookup: true,
    size: maxBytes,
    onAuth: (auth, _session, done) => done(null, { user: auth.username ?? 'anybody' }),
    onData(stream, session, done) {
      receive(stream, session, inbox, maxBytes).then(() => done(), done)
    },
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
    stop: () => new Promise((resolve) => server.close(() => resolve())),
  }
}

async function receive(
  stream: SMTPServerDataStream,
  session: SMTPServerSession,
  inbox: Inbox,
  maxBytes: number,
) {
  const chunks: Buffer[] = []
  for await (const chunk of stream) {
    // SMTP requires reading an oversized message to its end.
    if (!stream.sizeExceeded) chunks.push(chunk)
  }
  if (stream.sizeExceeded) throw new MessageTooBigError(`The message is over ${maxBytes} bytes.`)
  const mail = await PostalMime.parse(Buffer.concat(chunks), { attachmentEncoding: 'base64' })
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
  })
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
