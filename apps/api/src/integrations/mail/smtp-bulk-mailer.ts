import type { Transporter } from 'nodemailer'
import type { Clock } from '#platform/clock.ts'
import type { BulkMailer, BulkMessage, BulkResult } from './bulk-mailer.ts'
import { type BodyEncoder, createAttachmentEncoder, createBodyEncoder } from './encoded-body.ts'
import { isMessageId, isOneAddress, senderOf, smtpErrorOf, transportOptions } from './smtp.ts'

type Options = {
  /** `smtp://` or `smtps://`; null where no server is configured. */
  url: string | null
  /** The sender, such as `Tidings <hello@example.com>`. */
  from: string
  clock: Clock
  connections: number
  /** Messages each second; 0 for no limit. */
  perSecond: number
  dkim: { domain: string; selector: string; privateKey: string } | null
}

// NOTE: RFC 8058 requires that both List-Unsubscribe headers are signed; the library signs only one by default.
const signedHeaders =
  'From:Sender:Reply-To:Subject:Date:Message-ID:To:MIME-Version:Content-Type:Content-Transfer-Encoding:List-Id:List-Unsubscribe:List-Unsubscribe-Post'

const responseCharacters = 200

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
  /** Messages in flight that were written to the end, by message id. */
  const handedOver = new Set<string>()
  const encodeAttachment = createAttachmentEncoder()
  let opening: ReturnType<typeof open> | null = null
  let isClosed = false

  async function open(server: string): Promise<{ transport: Transporter; encode: BodyEncoder }> {
    const [{ createTransport }, { default: DKIM }, quotedPrintable] = await Promise.all([
      import('nodemailer'),
      import('nodemailer/lib/dkim'),
      import('nodemailer/lib/qp'),
    ])
    const transport = createTransport({
      url: server,
      ...transportOptions,
      maxConnections: connections,
      maxMessages: 500,
      ...(perSecond > 0 && { rateDelta: 1000, rateLimit: perSecond }),
    })
    const signature =
      dkim === null
        ? null
        : new DKIM({
            domainName: dkim.domain,
            keySelector: dkim.selector,
            privateKey: dkim.privateKey,
            headerFieldNames: signedHeaders,
          })
    transport.use('stream', ({ data, message }, done) => {
      const id = String(data.messageId)
      if (signature !== null) message.processFunc((input) => signature.sign(input))
      // Ends when the connection has taken the last byte. From then on the server may accept the message.
      message.processFunc((input) => input.once('end', () => handedOver.add(id)))
      done()
    })
    return { transport, encode: createBodyEncoder(quotedPrintable) }
  }

  return {
    concurrency: connections,

    async send({ to, envelopeFrom, messageId, html, text, attachment, ...message }) {
      if (url === null) return unavailable('ENOTCONFIGURED', 'no mail server is configured')
      if (isClosed) return unavailable('ECLOSED', 'the mailer is closed')
      if (!isOneAddress(to)) return permanent('invalid-address', 'the address is malformed')
      if (!isSafe({ ...message, envelopeFrom, messageId }) || !isSafeName(attachment?.name ?? '')) {
        return permanent('invalid-message', 'a header is malformed')
      }
      const id = `<${messageId}@${host}>`
      try {
        opening ??= open(url)
        const { transport, encode } = await opening
        await transport.sendMail({
          ...message,
          alternatives: [{ raw: encode('text/plain', text) }, { raw: encode('text/html', html) }],
          ...(attachment !== undefined && { attachments: [{ raw: encodeAttachment(attachment) }] }),
          from,
          to: { name: '', address: to },
          ...(envelopeFrom !== null && { envelope: { from: envelopeFrom, to } }),
          date: clock.now(),
          messageId: id,
          xMailer: false,
        })
        return { outcome: 'accepted' }
      } catch (error) {
        return resultOf(error, handedOver.has(id))
      } finally {
        handedOver.delete(id)
      }
    },

    close() {
      isClosed = true
      opening?.then(
        ({ transport }) => transport.close(),
        () => {},
      )
    },
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

function resultOf(error: unknown, wasHandedOver: boolean): BulkResult {
  const { code, command, status, response, message } = smtpErrorOf(error)
  if (status === 0) {
    // An error without a reply: the message may have been accepted only if the server has all of it.
    if (wasHandedOver) return { outcome: 'unknown', code, response: 'no reply after the message' }
    return unavailable(code, withoutAddresses(message))
  }
  const reply = { code: String(status), response: withoutAddresses(response) }
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

/** Servers quote addresses, which must not outlive a member in reasons and logs. */
function withoutAddresses(text: string): string {
  return text
    .replaceAll(/\S*@\S*/g, '…')
    .replaceAll(/[\p{Cc}\s]+/gu, ' ')
    .slice(0, responseCharacters)
}
