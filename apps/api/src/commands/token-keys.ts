import { readConfig } from '../config/config.ts'
import { ConfigurationError, processSettings } from '../config/env.ts'
import { createContext } from '../context.ts'
import { locationsFrom } from '../locations.ts'
import { failToStart } from '../process-lifetime.ts'

const usage = `Manages the keys that sign members' access tokens.

  token-keys rotate     creates a new key; existing tokens stay valid, so members stay logged in

An old key is deleted when every token it signed has expired. DATABASE_URL sets the database.
`

async function main(): Promise<void> {
  const [command] = process.argv.slice(2)
  if (command !== 'rotate') {
    if (command === undefined || command === '--help' || command === '-h') return print(usage)
    throw new ConfigurationError(usage)
  }
  const config = readConfig(processSettings(), locationsFrom(new URL('..', import.meta.url).href))
  const context = createContext({ ...config, logLevel: 'warn' }, 'token-keys')
  try {
    print(`New tokens are signed with ${await context.signingKeys.rotate()}.\n`)
  } finally {
    await context.close()
  }
}

function print(text: string): void {
  process.stdout.write(text)
}

main().catch(failToStart)
