import { readConfig } from '../config/config.ts'
import { ConfigurationError, processSettings } from '../config/env.ts'
import { createContext } from '../context.ts'
import { locationsFrom } from '../locations.ts'
import { failToStart } from '../process-lifetime.ts'

const usage = `Keys that sign the access tokens of members.

  token-keys rotate     makes a new key; what the old ones signed stays valid, so nobody is logged out

Old keys are forgotten once every token they signed is over. DATABASE_URL names the database.
`

async function main(): Promise<void> {
  const [command] = process.argv.slice(2)
  if (command !== 'rotate') {
    if (command === undefined || command === '--help' || command === '-h') return print(usage)
    throw new ConfigurationError(usage)
  }
  const config = readConfig(processSettings(), locationsFrom(new URL('..', import.meta.url).href))
  const context = createContext({ ...config, logLevel: 'warn' }, { name: 'token-keys', worksJobs: false })
  try {
    print(`New tokens are signed by ${await context.signingKeys.rotate()}.\n`)
  } finally {
    await context.close()
  }
}

function print(text: string): void {
  process.stdout.write(text)
}

main().catch(failToStart)
