import { createInterface } from 'node:readline'

/** Runs in a program: replies to each request and exits with its parent. */
export function serveRequests<Question>(answer: (question: Question) => unknown): void {
  const lines = createInterface({ input: process.stdin })
  lines.on('line', async (line) => {
    try {
      reply({ answer: (await answer(JSON.parse(line))) ?? null })
    } catch (error) {
      reply({ failure: error instanceof Error ? error.message : String(error) })
    }
  })
  lines.on('close', () => process.exit())
}

function reply(message: object) {
  process.stdout.write(`${JSON.stringify(message)}\n`)
}
