import { type EditorScope, editorScope } from '@tidings/contracts/desk/desk'
import { ConfigurationError } from '../config/env.ts'
import type { EditorKeyService } from '../features/desk/index.ts'
import { type Command, parseOptions, startCommand, withContext } from './run-command.ts'

const usage = `Manages the keys of the editors' desk.

  editor-key make NAME [--scopes read,write,publish]   creates a key and shows it once
  editor-key revoke NAME                               revokes every key with that name
  editor-key list                                      shows names, scopes and last use

Scopes: read shows drafts, write changes them, publish makes them public. Without --scopes, a key has all three.
DATABASE_URL selects the database.
`

export const editorKey: Command = {
  usage,
  async run(args, readConfig, print) {
    const options = { scopes: { type: 'string' }, help: { type: 'boolean', short: 'h' } } as const
    const { positionals, values } = parseOptions(args, options, usage)
    const [command, name = ''] = positionals
    if (values.help === true || command === undefined) {
      print(usage)
      return
    }
    const isNamed = name.trim() !== '' && name.length <= 100
    const isChange = command === 'make' || command === 'revoke'
    if (command !== 'list' && !(isChange && isNamed)) throw new ConfigurationError(usage)
    await withContext(readConfig(), 'editor-key', async ({ editorKeys }) => {
      if (command === 'list') print((await editorKeys.list()).map(describe).join(''))
      else if (command === 'make') print(`${await editorKeys.create(name, parseScopes(values.scopes))}\n`)
      else print(await revoke(editorKeys, name))
    })
  },
}

async function revoke(keys: EditorKeyService, name: string): Promise<string> {
  const count = await keys.revoke(name)
  if (count === 0) throw new ConfigurationError(`There is no active key called ${name}.`)
  return `Revoked ${count === 1 ? 'one key' : `${count} keys`} called ${name}.\n`
}

function parseScopes(text: string | undefined): readonly EditorScope[] {
  if (text === undefined) return editorScope.options
  const scopes = new Set(text.split(',').map((scope) => scope.trim()))
  const result = editorScope.array().safeParse([...scopes])
  if (result.success) return result.data
  throw new ConfigurationError(`--scopes takes ${editorScope.options.join(', ')}, separated by commas.`)
}

function describe(key: { name: string; scopes: string[]; lastUsedAt: Date | null; revokedAt: Date | null }) {
  const use = key.lastUsedAt === null ? 'never used' : `last used ${key.lastUsedAt.toISOString()}`
  const state = key.revokedAt === null ? use : `revoked ${key.revokedAt.toISOString()}`
  return `${key.name}  [${key.scopes.join(', ')}]  ${state}\n`
}

if (import.meta.main) await startCommand(editorKey)
