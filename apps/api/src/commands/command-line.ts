import type { CommandUnknownOpts } from '@commander-js/extra-typings'
import type { Config, Locations } from '../config/config.ts'
import type { SettingValue } from '../config/setting.ts'
import type { Context } from '../context.ts'

/** The input and output of a command: an operator's terminal, or a test. */
export type Terminal = {
  writeOut(text: string): void
  writeError(text: string): void
  /** Whether a person can be asked, and sees progress. */
  isInteractive: boolean
  ask(question: string): Promise<string>
  /** Asks without showing what is typed. */
  askSecret(question: string): Promise<string>
  /** Returns the revision of this code, also when other settings are invalid. */
  readRevision(): Promise<string>
  readLocations(): Promise<Locations>
  readConfig(): Promise<Config>
  /** Returns the settings that are set, as texts; fingerprints in place of secrets. */
  readSettingValues(siteSecret: string): Promise<SettingValue[]>
}

/** The result of a command: JSON for programs, text for people unless it has printed that already. */
export type Result = {
  json: unknown
  text?: string
  /** Whether something must be done, which exits with 1. */
  isIncomplete?: boolean
}

/** Prints a line: to standard output, or to standard error if that is for JSON. */
export type Print = (text: string) => void

/** The services of the command line for its subcommands. */
export type CommandLine = Pick<
  Terminal,
  'readConfig' | 'readLocations' | 'readRevision' | 'readSettingValues'
> & {
  /** Asks for a secret. Returns null without a terminal. */
  askSecret(question: string): Promise<string | null>
  /** Runs the work of a command and prints its result as the operator asked for. */
  run(work: (print: Print) => Promise<Result>): Promise<void>
  /** Asks before harm. Throws {@link UsageError} without a terminal, and {@link CommandError} if refused. */
  confirm(confirmation: Confirmation): Promise<void>
  /** Shows the progress of long work, if a person looks at it. */
  showProgress(text: string): void
}

export type Confirmation = {
  /** The harm that would be done. */
  question: string
  /** The text to type; y without it. */
  expected?: string
  /** The option --yes. */
  isConfirmed: boolean | undefined
}

/** Adds the arguments, options and subcommands of a command. */
export type DefineCommand = (command: CommandUnknownOpts, cli: CommandLine) => void

/** A failure that an operator can act on. Only its message is printed. */
export class CommandError extends Error {
  override name = 'CommandError'
  readonly exitCode: number = 1
}

/** A wrong use of a command. */
export class UsageError extends CommandError {
  override name = 'UsageError'
  override readonly exitCode = 2
}

/** Lets the command line print only the message of errors of this class, on which an operator can act. */
export async function withCommandErrors<T>(
  kind: new (message: string) => Error,
  work: () => Promise<T>,
): Promise<T> {
  try {
    return await work()
  } catch (error) {
    throw error instanceof kind ? new CommandError(error.message, { cause: error }) : error
  }
}

/** Creates the services of subcommands. `isJson` tells how to print a result; `finish` gets the exit code. */
export function createCommandLine(
  terminal: Terminal,
  { isJson, finish }: { isJson: () => boolean; finish: (code: number) => void },
): CommandLine {
  let isProgressShown = false
  const clearProgress = () => {
    if (isProgressShown) terminal.writeError('\r\u001b[K')
    isProgressShown = false
  }
  return {
    readConfig: terminal.readConfig,
    readLocations: terminal.readLocations,
    readRevision: terminal.readRevision,
    readSettingValues: terminal.readSettingValues,
    async askSecret(question) {
      clearProgress()
      return terminal.isInteractive ? await terminal.askSecret(question) : null
    },
    async run(work) {
      const print = (text: string) => {
        clearProgress()
        if (isJson()) terminal.writeError(text)
        else terminal.writeOut(text)
      }
      try {
        const { json, text = '', isIncomplete = false } = await work(print)
        clearProgress()
        terminal.writeOut(isJson() ? `${JSON.stringify(json, null, 2)}\n` : text)
        finish(isIncomplete ? 1 : 0)
      } finally {
        clearProgress()
      }
    },
    async confirm({ question, expected, isConfirmed }) {
      if (isConfirmed === true) return
      if (!terminal.isInteractive) {
        throw new UsageError(`${question}\nNothing was done. Without a terminal, confirm with --yes.`)
      }
      const ask = expected === undefined ? '[y/N] ' : `Type ${expected} to go on: `
      const typed = (await terminal.ask(`${question}\n${ask}`)).trim()
      const isAgreed = expected === undefined ? /^y(es)?$/i.test(typed) : typed === expected
      if (!isAgreed) throw new CommandError('Nothing was done.')
    },
    showProgress(text) {
      if (!terminal.isInteractive) return
      terminal.writeError(`\r\u001b[K${text}`)
      isProgressShown = true
    },
  }
}

/** Runs work with a context of its own, which logs warnings only. */
export async function withContext<T>(
  config: Config,
  name: string,
  work: (context: Context) => Promise<T>,
): Promise<T> {
  const [{ createContext }, { createLogger }] = await Promise.all([
    import('../context.ts'),
    import('../platform/logger.ts'),
  ])
  // Standard output is for the result.
  const logger = createLogger({ level: 'warn', process: name }, process.stderr)
  const context = createContext(config, name, { logger })
  try {
    return await work(context)
  } finally {
    await context.close()
  }
}

/** Adds an example below the help of a command. */
export function addExample(command: CommandUnknownOpts, ...lines: string[]): void {
  command.addHelpText('after', `\nExample:\n${lines.map((line) => `  ${line}\n`).join('')}`)
}

export function textOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}
