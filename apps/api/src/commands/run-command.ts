import { type ParseArgsOptionsConfig, parseArgs } from 'node:util'
import { type Config, readConfig } from '../config/config.ts'
import { ConfigurationError, processSettings } from '../config/env.ts'
import { type Context, createContext } from '../context.ts'
import { locationsFrom } from '../locations.ts'
import { failToStart } from '../process-lifetime.ts'

export type Print = (text: string) => void

/** A command for operators. */
export type Command = {
  usage: string
  /** Returns the exit code, if it isn't 0. Throws {@link ConfigurationError} with the text for standard error. */
  run(args: string[], readConfig: () => Config, print: Print): Promise<number | undefined>
}

/** Runs a command, or prints its usage, and returns the exit code. */
export async function runCommand(
  { usage, run }: Command,
  ...[args, readConfig, print]: Parameters<Command['run']>
): Promise<number> {
  const [first] = args
  if (first !== undefined && first !== '--help' && first !== '-h')
    return (await run(args, readConfig, print)) ?? 0
  print(usage)
  return 0
}

/** Runs the command of this process, with its arguments and settings. */
export async function startCommand(command: Command): Promise<void> {
  const locations = locationsFrom(new URL('..', import.meta.url).href)
  const config = () => readConfig(processSettings(), locations)
  const print = (text: string) => void process.stdout.write(text)
  process.exitCode = await runCommand(command, process.argv.slice(2), config, print).catch(failToStart)
}

/** Runs work with a context of its own, which logs warnings only. */
export async function withContext<T>(
  config: Config,
  name: string,
  work: (context: Context) => Promise<T>,
): Promise<T> {
  const context = createContext({ ...config, logLevel: 'warn' }, name)
  try {
    return await work(context)
  } finally {
    await context.close()
  }
}

/** Parses arguments with options. Throws {@link ConfigurationError} with the usage. */
export function parseOptions<const Options extends ParseArgsOptionsConfig>(
  args: string[],
  options: Options,
  usage: string,
) {
  try {
    return parseArgs({ args, allowPositionals: true, options })
  } catch (error) {
    throw new ConfigurationError(`${textOf(error)}\n\n${usage}`)
  }
}

export function textOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}
