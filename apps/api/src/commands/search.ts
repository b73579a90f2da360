import type { CommandUnknownOpts } from '@commander-js/extra-typings'
import { addExample, type CommandLine, withContext } from './command-line.ts'

/** Defines the commands for the index of the search. */
export function defineSearch(search: CommandUnknownOpts, cli: CommandLine): void {
  const reindex = search
    .command('reindex')
    .description(
      'indexes every published memo and article again, while the site runs; needed after the database got another LC_CTYPE. May run twice, also at once',
    )
    .action(() =>
      cli.run(async () =>
        withContext(await cli.readConfig(), 'search', async ({ search }) => {
          await search.checkDatabase()
          const indexed = await search.reindex(({ memos, articles }) =>
            cli.showProgress(`${memos} memos and ${articles} articles`),
          )
          const text = `Indexed ${indexed.memos} memos and ${indexed.articles} articles.\n`
          return { json: indexed, text }
        }),
      ),
    )
  addExample(reindex, 'tidings search reindex')
}
