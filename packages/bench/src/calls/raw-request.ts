import { Agent, request as send } from 'node:http'

export type RawReply = { status: number; headers: Record<string, string>; body: Buffer }

// Sequential requests share one connection. Concurrent ones open more.
const agent = new Agent({ keepAlive: true, maxSockets: 8 })

/** Sends a request over a keep-alive connection and returns the compressed bytes. */
export function rawGet(url: string, headers: Record<string, string>): Promise<RawReply> {
  return rawRequest(url, 'GET', headers)
}

/** Posts JSON, or nothing, over a keep-alive connection. */
export function rawPost(url: string, headers: Record<string, string>, body?: object): Promise<RawReply> {
  if (body === undefined) return rawRequest(url, 'POST', headers)
  const bytes = Buffer.from(JSON.stringify(body))
  const described = { 'Content-Type': 'application/json', 'Content-Length': String(bytes.byteLength) }
  return rawRequest(url, 'POST', { ...headers, ...described }, bytes)
}

function rawRequest(
  url: string,
  method: string,
  headers: Record<string, string>,
  body?: Buffer,
): Promise<RawReply> {
  return new Promise((resolve, reject) => {
    const request = send(url, { agent, method, headers }, (response) => {
      const chunks: Buffer[] = []
      response.on('data', (chunk: Buffer) => chunks.push(chunk))
      response.on('error', reject)
      response.on('end', () =>
        resolve({
          status: response.statusCode ?? 0,
          headers: Object.fromEntries(
            Object.entries(response.headers).map(([name, value]) => [name, String(value)]),
          ),
          body: Buffer.concat(chunks),
        }),
      )
    })
    request.on('error', reject)
    request.end(body)
  })
}
