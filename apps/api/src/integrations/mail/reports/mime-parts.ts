import { type ReportFields, readBlocks } from './report-fields.ts'

/** A part of an email that has no parts of its own. */
export type MimePart = { type: string; content: string }

const maxParts = 50
const maxDepth = 5
const maxBoundary = 200
/** How much of a part is decoded. */
const maxCharacters = 100_000

/**
 * Returns the parts of an email (RFC 2046). Each line is read once for each level of nesting, and only as far as a report
 * needs, because the email comes from a stranger. A message inside is one part: it may contain a report of its own.
 */
export function readMimeParts(source: Uint8Array): MimePart[] {
  const text = Buffer.from(source).toString('latin1').replaceAll(/\r\n?/g, '\n')
  const parts: MimePart[] = []
  addParts(text, parts, 0)
  return parts
}

function addParts(text: string, parts: MimePart[], depth: number): void {
  if (parts.length >= maxParts || depth > maxDepth) return
  const end = text.startsWith('\n') ? 0 : text.indexOf('\n\n')
  if (end === -1) return
  const fields: ReportFields = (end === 0 ? undefined : readBlocks(text.slice(0, end))[0]) ?? new Map()
  const contentType = fields.get('content-type') ?? ''
  const type = /^[\w.+/-]{1,100}/.exec(contentType)?.[0].toLowerCase() ?? 'text/plain'
  const body = text.slice(end + 1)
  const boundary = type.startsWith('multipart/') ? boundaryOf(contentType) : null
  if (boundary === null) parts.push({ type, content: decode(body.slice(1), fields) })
  else for (const part of split(body, boundary)) addParts(part, parts, depth + 1)
}

function boundaryOf(contentType: string): string | null {
  const [, quoted, plain] = /;\s*boundary\s*=\s*(?:"([^"]*)"|([^\s;"]+))/i.exec(contentType) ?? []
  const boundary = quoted ?? plain ?? ''
  return boundary === '' || boundary.length > maxBoundary ? null : boundary
}

/** Returns what is between the lines of a boundary. The last part may have no end. */
function split(body: string, boundary: string): string[] {
  const mark = `\n--${boundary}`
  const found: string[] = []
  let start: number | null = null
  for (let at = body.indexOf(mark); at !== -1 && found.length < maxParts; at = body.indexOf(mark, at + 1)) {
    const lineEnd = body.indexOf('\n', at + 1)
    const rest = body.slice(at + mark.length, lineEnd === -1 ? undefined : lineEnd)
    // A longer boundary begins with this one.
    if (!/^(--)?[ \t]*$/.test(rest)) continue
    if (start !== null) found.push(body.slice(start, at))
    start = rest.startsWith('--') || lineEnd === -1 ? null : lineEnd + 1
    if (start === null) return found
  }
  if (start !== null) found.push(body.slice(start))
  return found
}

function decode(body: string, fields: ReportFields): string {
  const encoded = body.slice(0, maxCharacters)
  return new TextDecoder().decode(bytesOf(encoded, fields.get('content-transfer-encoding') ?? ''))
}

function bytesOf(encoded: string, encoding: string): Uint8Array {
  switch (encoding.toLowerCase()) {
    case 'base64':
      return Buffer.from(encoded, 'base64')
    case 'quoted-printable':
      return Buffer.from(
        encoded
          .replaceAll(/=[ \t]*\n/g, '')
          .replaceAll(/=([\da-f]{2})/gi, (_code, hex: string) =>
            String.fromCharCode(Number.parseInt(hex, 16)),
          ),
        'latin1',
      )
    default:
      return Buffer.from(encoded, 'latin1')
  }
}
