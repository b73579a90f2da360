import type { Attachment, FilledText } from './bulk-mailer.ts'

/** The functions of a library for quoted-printable (RFC 2045). */
type QuotedPrintable = { encode(text: string): string; wrap(encoded: string, lineLength: number): string }

/** Returns a part of a message with its headers. */
export type BodyEncoder = (type: 'text/plain' | 'text/html', text: FilledText) => Buffer

/** Returns an attachment with its headers. */
export type AttachmentEncoder = (attachment: Attachment) => Buffer

// Without the sign that ends a line in the middle of a text.
const lineCharacters = 75
const softBreak = '=\r\n'

/**
 * Encodes the parts of a text once for all its messages: encoding an edition takes longer than all the rest of sending it
 * to one member. Bytes instead of strings, because strings of this size fill the memory faster than it is collected.
 */
export function createBodyEncoder({ encode, wrap }: QuotedPrintable): BodyEncoder {
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
export function createAttachmentEncoder(): AttachmentEncoder {
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
