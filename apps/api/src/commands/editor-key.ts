import { parseArgs } from 'node:util'
import { type EditorScope, editorScope } from '@tidings/contracts/desk'
import { readConfig } from '../config/config.ts'
import { ConfigurationError, processSettings } from '../config/env.ts'
import { type Context, createContext } from '../context.ts'
import { locationsFrom } from '../locations.ts'
import { failToStart } from '../process-lifetime.ts'

const usage = `Keys for the editors' desk.

  editor-key make NAME [--scopes read,write,publish]   makes a key and shows it, this once
  editor-key revoke NAME                               ends every key of that name at once
  editor-key list                                      shows names, scopes and last use

Scopes: read sees drafts, write changes them, publish makes them public. All three without --scopes.
DATABASE_URL names the database.
`

async function main(): Promise<void> {
  const { positionals, values } = readArguments()
  const [command, name] = positionals
  if (values.help === true || command === undefined) return print(usage)
  const config = readConfig(processSettings(), locationsFrom(new URL('..', import.meta.url).href))
  const context = createContext({ ...config, logLevel: 'warn' }, { name: 'editor-key', worksJobs: false })
  try {
    await run(context, command, name, values.scopes)
  } finally {
    await context.close()
  }
}

function readArguments() {
  try {
    return parseArgs({
      allowPositionals: true,
      options: { scopes: { type: 'string' }, help: { type: 'boolean', short: 'h' } },
    })
  } catch (error) {
    throw new ConfigurationError(`${error instanceof Error ? error.message : error}\n\n${usage}`)
  }
}

async function run(
  { editorKeys }: Context,
  command: string,
  name: string | undefined,
  scopes: string | undefined,
): Promise<void> {
  if (command === 'list') {
    for (const key of await editorKeys.list()) print(`${describe(key)}\n`)
    return
  }
  if (name === undefined || name.trim() === '' || name.length > 100) throw new ConfigurationError(usage)
  if (command === 'make') {
    const secret = await editorKeys.create(name, parseScopes(scopes))
    print(`${secret}\n`)
  } else if (command === 'revoke') {
    const count = await editorKeys.revoke(name)
    if (count === 0) throw new ConfigurationError(`There is no live key called ${name}.`)
    print(`Revoked ${count === 1 ? 'one key' : `${count} keys`} called ${name}.\n`)
  } else {
    throw new ConfigurationError(usage)
  }
}

function parseScopes(text: string | undefined): readonly EditorScope[] {
  if (text === undefined) return editorScope.options
  const result = editorScope
    .array()
    .min(1)
    .safeParse(text.split(',').map((scope) => scope.trim()))
  if (result.success) return [...new Set(result.data)]
  throw new ConfigurationError(`--scopes takes ${editorScope.options.join(', ')}, separated by commas.`)
}

function describe(key: { name: string; scopes: string[]; lastUsedAt: Date | null; revokedAt: Date | null }) {
  const use = key.lastUsedAt === null ? 'never used' : `last used ${key.lastUsedAt.toISOString()}`
  const state = key.revokedAt === null ? use : `revoked ${key.revokedAt.toISOString()}`
  return `${key.name}  [${key.scopes.join(', ')}]  ${state}`
}

function print(text: string): void {
  process.stdout.write(text)
}

main().catch(failToStart)
