import { createInterface } from 'node:readline/promises'
import { Writable } from 'node:stream'
import type { Terminal } from './command-line.ts'
import { runProgram } from './program.ts'

const mainFileUrl = new URL('..', import.meta.url).href

const terminal: Terminal = {
  writeOut: (text) => void process.stdout.write(text),
  writeError: (text) => void process.stderr.write(text),
  isInteractive: process.stdin.isTTY === true && process.stderr.isTTY === true,
  async ask(question) {
    const lines = createInterface({ input: process.stdin, output: process.stderr })
    const closed = new Promise<string>((resolve) => lines.once('close', () => resolve('')))
    const answer = await Promise.race([lines.question(question), closed])
    lines.close()
    return answer
  },
  async askSecret(question) {
    process.stderr.write(question)
    // Nothing typed is shown.
    const output = new Writable({ write: (_chunk, _encoding, done) => done() })
    const lines = createInterface({ input: process.stdin, output, terminal: true })
    const closed = new Promise<string>((resolve) => lines.once('close', () => resolve('')))
    const answer = await Promise.race([lines.question(''), closed])
    lines.close()
    process.stderr.write('\n')
    return answer
  },
  async readRevision() {
    const { processSettings } = await import('../config/env.ts')
    try {
      return processSettings().revision
    } catch {
      return 'unknown'
    }
  },
  readLocations: async () => (await import('../locations.ts')).locationsFrom(mainFileUrl),
  async readConfig() {
    const [{ readConfig }, { processSettings }] = await Promise.all([
      import('../config/config.ts'),
      import('../config/env.ts'),
    ])
    return readConfig(processSettings(), await terminal.readLocations())
  },
  readSettingValues: async (siteSecret) =>
    (await import('../config/env.ts')).processSettingValues(siteSecret),
}

// The reader of a pipe, such as `head`, may have read enough.
process.stdout.on('error', (error) => {
  process.exit('code' in error && error.code === 'EPIPE' ? 0 : 1)
})
process.exitCode = await runProgram(process.argv.slice(2), terminal)
