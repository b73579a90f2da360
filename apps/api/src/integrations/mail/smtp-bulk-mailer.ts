import type { Clock } from '#platform/clock.ts'
import { lazily } from '#platform/lazily.ts'
import type { Attachment, BulkMailer, BulkMessage, BulkResult, FilledText } from './bulk-mailer.ts'
import { withoutAddresses } from './reports/without-addresses.ts'
import {
  createSmtpTransport,
  type DkimKey,
  isMessageId,
  isOneAddress,
  type SendFailure,
  senderOf,
  smtpErrorOf,
} from './smtp-transport.ts'

type Options = {
  /** `smtp://` or `smtps://`; null where no server is configured. */
  url: string | null
  /** The sender, such as `Tidings <hello@example.com>`. */
  from: string
  clock: Clock
  connections: number
  /** Messages each second; 0 for no limit. */
  perSecond: number
  dkim: DkimKey | null
}

/** The length of a response that is stored, and that decides about its meaning. */
const responseCharacters = 200
const fullResponseCharacters = 2_000

/** Sends editions over pooled SMTP connections. Throws at once if `from` contains no address. */
export function createSmtpBulkMailer({
  url,
  from: sender,
  clock,
  connections,
  perSecond,
  dkim,
}: Options): BulkMailer {
  const { from, host } = senderOf(sender)
  const encodeAttachment = createAttachmentEncoder()
  const rate = perSecond > 0 ? { rateDelta: 1000, rateLimit: perSecond } : {}
  const pool = { maxConnections: connections, maxMessages: 500, ...rate }
  const transport = url === null ? null : createSmtpTransport({ url, pool, dkim })

  const openEncoder = lazily(async () => createBodyEncoder(await import('nodemailer/lib/qp')))

  return {
    concurrency: connections,

    async send({ to, envelopeFrom, messageId, html, text, attachment, ...message }) {
      if (transport === null) return unavailable('ENOTCONFIGURED', 'no mail server is configured')
      if (!isOneAddress(to)) return permanent('invalid-address', 'the address is malformed')
      if (!isSafe({ ...message, envelopeFrom, messageId }) || !isSafeName(attachment?.name ?? '')) {
        return permanent('invalid-message', 'a header is malformed')
      }
      const encode = await openEncoder()
      const failure = await transport.send({
        ...message,
        alternatives: [{ raw: encode('text/plain', text) }, { raw: encode('text/html', html) }],
        ...(attachment !== undefined && { attachments: [{ raw: encodeAttachment(attachment) }] }),
        from,
        to: { name: '', address: to },
        ...(envelopeFrom !== null && { envelope: { from: envelopeFrom, to } }),
        date: clock.now(),
        messageId: `<${messageId}@${host}>`,
        xMailer: false,
      })
      return failure === null ? { outcome: 'accepted' } : resultOf(failure)
    },

    finish: (withinMs) => transport?.finish(withinMs),
    close: () => transport?.close(),
  }
}

/** Returns whether no part of a message can end its header or add another one. */
function isSafe({
  envelopeFrom,
  messageId,
  subject,
  headers,
}: Pick<BulkMessage, 'envelopeFrom' | 'messageId' | 'subject' | 'headers'>): boolean {
  if (!isMessageId(messageId) || (envelopeFrom !== null && !isOneAddress(envelopeFrom))) return false
  if (/\p{Cc}/u.test(subject)) return false
  return Object.entries(headers).every(
    ([name, value]) => /^[A-Za-z][\w-]*$/.test(name) && !/\p{Cc}/u.test(value),
  )
}

/** Whether a file name needs no encoding in a header. */
function isSafeName(name: string): boolean {
  return /^[\w.-]*$/.test(name)
}

/** The commands about one message. The library reports a refusal of its contents as one of DATA. */
const phases = new Map<string, 'rcpt' | 'data'>([
  ['RCPT TO', 'rcpt'],
  ['DATA', 'data'],
])

function resultOf({ error, wasHandedOver }: SendFailure): BulkResult {
  const { code, command, status, response, message } = smtpErrorOf(error)
  if (status === 0) {
    // An error without a reply: the message may have been accepted only if the server has all of it.
    if (wasHandedOver) return { outcome: 'unknown', code, response: 'no reply after the message' }
    return unavailable(code, withoutAddresses(message, responseCharacters))
  }
  const fullResponse = withoutAddresses(response, fullResponseCharacters)
  const reply = {
    code: String(status),
    response: fullResponse.slice(0, responseCharacters),
    ...(fullResponse.length > responseCharacters && { fullResponse }),
  }
  const phase = phases.get(command)
  if (phase !== undefined && status >= 500) return { outcome: 'permanent', ...reply, phase }
  const isThrottled = phase !== undefined || command === 'MAIL FROM'
  if (isThrottled && status < 500 && status !== 421) {
    return { outcome: 'temporary', ...reply, ...(phase && { phase }) }
  }
  // The server refuses the sender or the login, or is closing: this says nothing about the recipient.
  return { outcome: 'unavailable', ...reply, ...(phase && { phase }) }
}

function permanent(code: string, response: string): BulkResult {
  return { outcome: 'permanent', code, response }
}

function unavailable(code: string, response: string): BulkResult {
  return { outcome: 'unavailable', code, response }
}

/** The functions of a library for quoted-printable (RFC 2045). */
type QuotedPrintable = { encode(text: string): string; wrap(encoded: string, lineLength: number): string }

/** Returns a part of a message with its headers. */
type BodyEncoder = (type: 'text/plain' | 'text/html', text: FilledText) => Buffer

/** Returns an attachment with its headers. */
type AttachmentEncoder = (attachment: Attachment) => Buffer

// Without the sign that ends a line in the middle of a text.
const lineCharacters = 75
const softBreak = '=\r\n'

/**
 * Encodes the parts of a text once for all its messages: encoding an edition takes longer than all the rest of sending it
 * to one member. Bytes instead of strings, because strings of this size fill the memory faster than it is collected.
 */
function createBodyEncoder({ encode, wrap }: QuotedPrintable): BodyEncoder {
  const encodedParts = new WeakMap<readonly string[], readonly Buffer[]>()

  function encoded(text: string): string {
    return wrap(encode(text.replaceAll(/\r?\n/g, '\r\n')), lineCharacters)
  }

  function partsOf({ parts }: FilledText): readonly Buffer[] {
    const known = encodedParts.get(parts) ?? parts.map((part) => Buffer.from(encoded(part)))
    encodedParts.set(parts, known)
    return known
  }

  return (type, text) => {
    const headers = `Content-Type: ${type}; charset=utf-8\r\nContent-Transfer-Encoding: quoted-printable\r\n\r\n`
    const body = partsOf(text).flatMap((part, index) => {
      const value = text.values[index]
      return value === undefined ? [part] : [part, Buffer.from(softBreak + encoded(value) + softBreak)]
    })
    return Buffer.concat([Buffer.from(headers), ...body])
  }
}

const base64LineCharacters = 76

/** Encodes the bytes of an attachment once for all its messages, which share the result. */
function createAttachmentEncoder(): AttachmentEncoder {
  const encoded = new WeakMap<Uint8Array, Buffer>()

  return ({ name, type, bytes }) => {
    const known = encoded.get(bytes)
    if (known !== undefined) return known
    const lines = Buffer.from(bytes)
      .toString('base64')
      .replaceAll(new RegExp(`.{${base64LineCharacters}}`, 'g'), '$&\r\n')
    const headers = [
      `Content-Type: ${type}; name="${name}"`,
      'Content-Transfer-Encoding: base64',
      `Content-Disposition: attachment; filename="${name}"`,
    ]
    const part = Buffer.from(`${headers.join('\r\n')}\r\n\r\n${lines}`)
    encoded.set(bytes, part)
    return part
  }
}
