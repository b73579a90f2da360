import { ConfigurationError } from '../config/env.ts'
import { type Command, startCommand, withContext } from './run-command.ts'

const usage = `Manages the index of the search.

  search reindex     indexes every published memo and article again, while the site runs.
                     Needed after the database got another LC_CTYPE. May run twice, also at once

DATABASE_URL selects the database.
`

export const search: Command = {
  usage,
  async run([command, ...others], readConfig, print) {
    if (command !== 'reindex' || others.length > 0) throw new ConfigurationError(usage)
    await withContext(readConfig(), 'search', async ({ search }) => {
      await search.checkDatabase()
      const { memos, articles } = await search.reindex((indexed) => {
        if (indexed.memos % 1_000 === 0) print(`${indexed.memos} memos\n`)
      })
      print(`Indexed ${memos} memos and ${articles} articles.\n`)
    })
  },
}

if (import.meta.main) await startCommand(search)
