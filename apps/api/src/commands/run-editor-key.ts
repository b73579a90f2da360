import { parseArgs } from 'node:util'
import { type EditorScope, editorScope } from '@tidings/contracts/desk/desk'
import { ConfigurationError } from '../config/env.ts'
import type { EditorKeyService } from '../features/desk/index.ts'

const usage = `Manages the keys of the editors' desk.

  editor-key make NAME [--scopes read,write,publish]   creates a key and shows it once
  editor-key revoke NAME                               revokes every key with that name
  editor-key list                                      shows names, scopes and last use

Scopes: read shows drafts, write changes them, publish makes them public. Without --scopes, a key has all three.
DATABASE_URL selects the database.
`

/** Runs the command and returns what it prints. Throws `ConfigurationError` for invalid arguments. */
export async function runEditorKey(args: string[], openKeys: () => EditorKeyService): Promise<string> {
  const { positionals, values } = parseArguments(args)
  const [command, name] = positionals
  if (values.help === true || command === undefined) return usage
  if (command === 'list') return (await openKeys().list()).map(describe).join('')
  if (name === undefined || name.trim() === '' || name.length > 100) throw new ConfigurationError(usage)
  if (command === 'make') return `${await openKeys().create(name, parseScopes(values.scopes))}\n`
  if (command !== 'revoke') throw new ConfigurationError(usage)
  const count = await openKeys().revoke(name)
  if (count === 0) throw new ConfigurationError(`There is no active key called ${name}.`)
  return `Revoked ${count === 1 ? 'one key' : `${count} keys`} called ${name}.\n`
}

function parseArguments(args: string[]) {
  try {
    const options = { scopes: { type: 'string' }, help: { type: 'boolean', short: 'h' } } as const
    return parseArgs({ args, allowPositionals: true, options })
  } catch (error) {
    throw new ConfigurationError(`${error instanceof Error ? error.message : error}\n\n${usage}`)
  }
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
