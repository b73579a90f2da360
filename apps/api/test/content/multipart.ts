/** One part of a form: a field, or a file when it has a `filename`. */
export type FormPart = { name: string; filename?: string; type?: string; content: string | Uint8Array }

const boundary = '----tidings-test-boundary'

/** Encodes a multipart form as a client does. */
export function multipartForm(parts: readonly FormPart[]): {
  headers: Record<string, string>
  payload: Buffer
} {
  const chunks = parts.flatMap(({ name, filename, type = 'application/octet-stream', content }) => [
    Buffer.from(
      `--${boundary}\r\nContent-Disposition: form-data; name="${name}"` +
        (filename === undefined ? '\r\n\r\n' : `; filename="${filename}"\r\nContent-Type: ${type}\r\n\r\n`),
    ),
    Buffer.from(content),
    Buffer.from('\r\n'),
  ])
  return {
    headers: { 'content-type': `multipart/form-data; boundary=${boundary}` },
    payload: Buffer.concat([...chunks, Buffer.from(`--${boundary}--\r\n`)]),
  }
}
