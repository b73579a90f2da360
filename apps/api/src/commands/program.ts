import { Command, CommanderError } from '@commander-js/extra-typings'
import { CommandError, createCommandLine, type DefineCommand, type Terminal } from './command-line.ts'

type ListedCommand = { name: string; summary: string; load: () => Promise<DefineCommand> }

/** Every command. Only the one that runs is loaded, because most load the whole site. */
export const commands: readonly ListedCommand[] = [
  {
    name: 'doctor',
    summary: 'checks the settings, the database and everything that the site depends on',
    load: async () => (await import('./doctor.ts')).defineDoctor,
  },
  {
    name: 'keys',
    summary: "manages the keys of the editors' desk and of access tokens",
    load: async () => (await import('./keys.ts')).defineKeys,
  },
  {
    name: 'people',
    summary: 'invites, lists and removes the people of the desk',
    load: async () => (await import('./people.ts')).definePeople,
  },
  {
    name: 'members',
    summary: 'finds members, exports what is stored about them, and deletes accounts',
    load: async () => (await import('./members.ts')).defineMembers,
  },
  {
    name: 'app-config',
    summary: "shows and changes an app's fields, plans, origins and ways to log in",
    load: async () => (await import('./app-config.ts')).defineAppConfig,
  },
  {
    name: 'payments',
    summary: 'sets up and checks plans, prices and refunds at Stripe',
    load: async () => (await import('./payments.ts')).definePayments,
  },
  {
    name: 'deliveries',
    summary: 'holds, releases and checks the sending of editions',
    load: async () => (await import('./deliveries.ts')).defineDeliveries,
  },
  {
    name: 'media',
    summary: 'copies pictures between the folder and the bucket',
    load: async () => (await import('./media.ts')).defineMedia,
  },
  {
    name: 'search',
    summary: 'indexes all texts for the search again',
    load: async () => (await import('./search.ts')).defineSearch,
  },
  {
    name: 'backup',
    summary: 'writes all rows and pictures to one file',
    load: async () => (await import('./backup.ts')).defineBackup,
  },
  {
    name: 'restore',
    summary: 'replaces the site by a backup, and holds its sending',
    load: async () => (await import('./restore.ts')).defineRestore,
  },
  {
    name: 'migrate',
    summary: 'updates the database to this version',
    load: async () => (await import('./migrate.ts')).defineMigrate,
  },
  {
    name: 'version',
    summary: 'shows the version and revision of this code',
    load: async () => (await import('./version.ts')).defineVersion,
  },
]

const exitCodes = `
Exit codes: 0 done; 1 failed, or something must be done; 2 wrong use.
DATABASE_URL names the database; the other settings are those of the site.`

/** Runs the command of these arguments and returns the exit code: 0 done, 1 failed or to do, 2 wrong use. */
export async function runProgram(args: readonly string[], terminal: Terminal): Promise<number> {
  let exitCode = 0
  const program = new Command('tidings')
    .description('The command line of a Tidings site.')
    .option('--json', 'prints one JSON document for programs')
    .addHelpText('after', exitCodes)
    .exitOverride()
    .showHelpAfterError('Add --help to see how it is used.')
    .configureHelp({ showGlobalOptions: true, helpWidth: 100 })
    .configureOutput({ writeOut: terminal.writeOut, writeErr: terminal.writeError })
  const cli = createCommandLine(terminal, {
    isJson: () => program.opts().json === true,
    finish: (code) => {
      exitCode = code
    },
  })
  const named = args.find((argument) => !argument.startsWith('-') && argument !== 'help')
  for (const { name, summary, load } of commands) {
    const command = program.command(name).description(summary)
    if (name === named) (await load())(command, cli)
  }
  try {
    await program.parseAsync(args, { from: 'user' })
    return exitCode
  } catch (error) {
    if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : 2
    if (error instanceof CommandError) {
      terminal.writeError(`${error.message}\n`)
      return error.exitCode
    }
    const { describeFailure } = await import('../process-lifetime.ts')
    terminal.writeError(`${describeFailure(error)}\n`)
    return 1
  }
}
