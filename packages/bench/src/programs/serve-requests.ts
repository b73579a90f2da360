import { createInterface } from 'node:readline'

/** Runs in a program: replies to each request and exits with its parent. */
export function serveRequests<Request>(handle: (request: Request) => unknown): void {
  const lines = createInterface({ input: process.stdin })
  lines.on('line', async (line) => {
    try {
      write({ reply: (await handle(JSON.parse(line))) ?? null })
    } catch (error) {
      write({ failure: error instanceof Error ? error.message : String(error) })
    }
  })
  lines.on('close', () => process.exit())
}

function write(message: object) {
  process.stdout.write(`${JSON.stringify(message)}\n`)
}
