import type { Config } from '../config/config.ts'
import { ConfigurationError } from '../config/env.ts'
import { createContext } from '../context.ts'

const usage = `Manages the index of the search.

  search reindex     indexes every published memo and article again, while the site runs.
                     Needed after the database got another LC_CTYPE. May run twice, also at once

DATABASE_URL selects the database.
`

/** Runs the command. Throws {@link ConfigurationError} for invalid arguments. */
export async function runSearch(
  args: string[],
  readConfig: () => Config,
  print: (text: string) => void,
): Promise<void> {
  const [command, ...others] = args
  if (command === undefined || command === '--help' || command === '-h') return print(usage)
  if (command !== 'reindex' || others.length > 0) throw new ConfigurationError(usage)
  const context = createContext({ ...readConfig(), logLevel: 'warn' }, 'search')
  try {
    await context.search.checkDatabase()
    const { memos, articles } = await context.search.reindex((indexed) => {
      if (indexed.memos % 1_000 === 0) print(`${indexed.memos} memos\n`)
    })
    print(`Indexed ${memos} memos and ${articles} articles.\n`)
  } finally {
    await context.close()
  }
}
