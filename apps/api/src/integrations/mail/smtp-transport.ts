import { pipeline, type Readable, Transform } from 'node:stream'
import { domainToASCII } from 'node:url'
import type { SendMailOptions, Transporter } from 'nodemailer'
import type DKIM from 'nodemailer/lib/dkim'

/** Options of every transport: servers that are slow to connect fail, and messages read no files or URLs. */
export const transportOptions = {
  pool: true,
  connectionTimeout: 10_000,
  greetingTimeout: 10_000,
  dnsTimeout: 10_000,
  disableFileAccess: true,
  disableUrlAccess: true,
} as const

/** The key that signs emails, and where DNS has its public half: `<selector>._domainkey.<domain>`. */
export type DkimKey = { domain: string; selector: string; privateKey: string }

type Options = {
  /** `smtp://` or `smtps://`. */
  url: string
  pool: { maxConnections: number; maxMessages?: number; rateDelta?: number; rateLimit?: number }
  /** Null where the mail server signs. */
  dkim: DkimKey | null
}

/** The failure of an email. `wasHandedOver`: the server has all of it, so that it may have accepted it. */
export type SendFailure = { error: unknown; wasHandedOver: boolean }

type InFlight = { wasHandedOver: boolean; abort: AbortController; progress: NodeJS.Timeout | null }

// NOTE: RFC 8058 requires that both List-Unsubscribe headers are signed; the library signs only one by default.
const signedHeaders =
  'From:Sender:Reply-To:Subject:Date:Message-ID:To:MIME-Version:Content-Type:Content-Transfer-Encoding:List-Id:List-Unsubscribe:List-Unsubscribe-Post:CFBL-Feedback-ID'

/** RFC 5321, section 4.5.3.2.6: a server that has the message may deliver it although its reply takes minutes. */
const replyMs = 10 * 60_000
/** How long a server may check sender and recipient before it asks for the message. Some call back other servers. */
const checksMs = 5 * 60_000
/** How long a server may take for the next part of the message: nothing is lost by trying again. */
const progressMs = 60_000

/** Sends signed emails over pooled connections. The pool opens with the first email. */
export function createSmtpTransport({ url, pool, dkim }: Options) {
  const inFlight = new Map<string, InFlight>()
  let opening: Promise<Transporter> | null = null
  let isFinished = false

  async function open(): Promise<Transporter> {
    const [{ createTransport }, signer] = await Promise.all([import('nodemailer'), openSigner(dkim)])
    const transport = createTransport({ url, ...transportOptions, socketTimeout: replyMs, ...pool })
    transport.use('stream', ({ data, message }, done) => {
      const state = inFlight.get(String(data.messageId))
      if (signer !== null) message.processFunc((input) => signer.sign(input))
      // Called when a connection is free. Reading begins when the server asks for the message.
      message.processFunc((input) => (state === undefined ? input : watch(state, input)))
      done()
    })
    return transport
  }

  return {
    /** Sends an email with a Message-ID of its own. Returns null if the server accepted it. */
    async send(email: SendMailOptions & { messageId: string }): Promise<SendFailure | null> {
      const state: InFlight = { wasHandedOver: false, abort: new AbortController(), progress: null }
      inFlight.set(email.messageId, state)
      try {
        if (isFinished) throw new EndedError('ECLOSED', 'the mailer is closed')
        opening ??= open().catch((error: unknown) => {
          opening = null
          throw error
        })
        const transport = await opening
        await transport.sendMail({ ...email, signal: state.abort.signal })
        return null
      } catch (error) {
        const { aborted, reason } = state.abort.signal
        return { error: aborted ? reason : error, wasHandedOver: state.wasHandedOver }
      } finally {
        if (state.progress !== null) clearTimeout(state.progress)
        inFlight.delete(email.messageId)
      }
    },

    /** Ends every email that is still in flight after this time, and refuses others from then on. */
    finish(withinMs: number): void {
      const finish = () => {
        isFinished = true
        const error = new EndedError('ECLOSED', 'the mailer is closed')
        for (const { abort } of inFlight.values()) abort.abort(error)
      }
      setTimeout(finish, withinMs).unref()
    },

    close(): void {
      isFinished = true
      // The email that failed to open the transport has reported the error.
      opening?.then(
        (transport) => transport.close(),
        () => {},
      )
    },
  }
}

class EndedError extends Error {
  readonly code: string

  constructor(code: string, message: string) {
    super(message)
    this.code = code
  }
}

/** Returns the same message, and ends the email if the server takes too long before it has all of it. */
function watch(state: InFlight, message: Readable): Readable {
  const late = () => state.abort.abort(new EndedError('ETIMEDOUT', 'the mail server takes too long'))
  const wait = (ms: number) => {
    if (state.progress !== null) clearTimeout(state.progress)
    state.progress = setTimeout(late, ms).unref()
  }
  wait(checksMs)
  const watched = new Transform({
    transform(chunk, _encoding, done) {
      state.progress?.refresh()
      done(null, chunk)
    },
  })
  // NOTE: streams buffer the beginning of the message before the connection reads it.
  watched.once('resume', () => wait(progressMs))
  // The connection has taken the last byte. From now on the server may accept the message.
  watched.once('end', () => {
    state.wasHandedOver = true
    if (state.progress !== null) clearTimeout(state.progress)
  })
  return pipeline(message, watched, () => {})
}

async function openSigner(dkim: DkimKey | null): Promise<DKIM | null> {
  if (dkim === null) return null
  const { default: Signer } = await import('nodemailer/lib/dkim')
  const { domain: domainName, selector: keySelector, privateKey } = dkim
  return new Signer({ domainName, keySelector, privateKey, headerFieldNames: signedHeaders })
}

/** The library's report of a failed message. */
export type SmtpError = {
  /** As Node, OpenSSL or the library names it, such as `ECONNREFUSED`. */
  code: string
  /** The command that failed, such as `RCPT TO`. */
  command: string
  /** The server's status; 0 without a reply. */
  status: number
  response: string
  message: string
}

/** Reads an error of the library. */
export function smtpErrorOf(error: unknown): SmtpError {
  const field = (name: string) =>
    error instanceof Error ? Object.getOwnPropertyDescriptor(error, name)?.value : undefined
  return {
    // The library replaces the code of a system or TLS error, such as DEPTH_ZERO_SELF_SIGNED_CERT, by its own ESOCKET.
    code: String(field('originalCode') ?? field('code') ?? 'unknown'),
    command: String(field('command') ?? ''),
    status: Number(field('responseCode') ?? 0),
    response: String(field('response') ?? ''),
    message: String(field('message') ?? ''),
  }
}

/** Returns whether the text is one plain address, which can neither end a header nor add a name or a recipient. */
export function isOneAddress(text: string): boolean {
  return /^[^\s\p{Cc}<>,;:"()[\]\\@]+@[^\s\p{Cc}<>,;:"()[\]\\@]+$/u.test(text)
}

/** Returns whether the text is a message id without its host, which can't end its header. */
export function isMessageId(text: string): boolean {
  return /^[\w.-]+$/.test(text)
}

/** A sender, whose name the library quotes or encodes, and the host of its address. */
export type Sender = { from: { name: string; address: string }; host: string }

/**
 * Reads a sender such as `Tidings <hello@example.com>`. Its name may contain any sign: the library would read a comma as
 * the end of an address. Throws if there is no address.
 */
export function senderOf(text: string): Sender {
  const [, given = '', bracketed] = /^(.*)<([^\s<>]+)>\s*$/s.exec(text) ?? []
  const address = bracketed ?? text.trim()
  const host = domainToASCII(/^[^\s<>@]+@([^\s<>@]+)$/.exec(address)?.[1] ?? '')
  if (host === '') {
    throw new Error('The sender of emails must be an address, such as Tidings <hello@example.com>')
  }
  const quoted = /^"(.*)"$/s.exec(given.trim())?.[1]?.replaceAll(/\\(.)/gs, '$1')
  return { from: { name: quoted ?? given.trim(), address }, host }
}
