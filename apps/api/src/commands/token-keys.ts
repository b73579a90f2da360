import { ConfigurationError } from '../config/env.ts'
import { startCommand, withContext } from './run-command.ts'

const usage = `Manages the keys that sign members' access tokens.

  token-keys rotate     creates a new key; existing tokens stay valid, so members stay logged in

An old key is deleted when every token it signed has expired. DATABASE_URL sets the database.
`

await startCommand({
  usage,
  async run([command], readConfig, print) {
    if (command !== 'rotate') throw new ConfigurationError(usage)
    await withContext(readConfig(), 'token-keys', async ({ signingKeys }) =>
      print(`New tokens are signed with ${await signingKeys.rotate()}.\n`),
    )
  },
})
