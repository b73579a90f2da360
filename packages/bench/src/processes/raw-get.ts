import { Agent, get } from 'node:http'

export type RawReply = { status: number; headers: Record<string, string>; body: Buffer }

const agent = new Agent({ keepAlive: true, maxSockets: 1 })

/** Asks once, over a connection that is kept, and answers with the bytes as they travelled, still compressed. */
export function rawGet(url: string, headers: Record<string, string>): Promise<RawReply> {
  return new Promise((resolve, reject) => {
    const request = get(url, { agent, headers }, (response) => {
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
  })
}
