import { type CommandUnknownOpts, InvalidArgumentError } from '@commander-js/extra-typings'
import { type EditorScope, editorScope } from '@tidings/contracts/desk/desk'
import { addExample, CommandError, type CommandLine, withContext } from './command-line.ts'

/** Defines the commands for the keys of the editors' desk and of members' access tokens. */
export function defineKeys(keys: CommandUnknownOpts, cli: CommandLine): void {
  const make = keys
    .command('make')
    .description('creates a key of the desk and shows it once')
    .argument('<name>', 'whose key it is', parseName)
    .option(
      '--scopes <list>',
      'read shows drafts, write changes them, publish makes them public',
      parseScopes,
    )
    .action((name, { scopes = editorScope.options }) =>
      cli.run(async () => {
        const key = await withContext(await cli.readConfig(), 'keys', ({ editorKeys }) =>
          editorKeys.create(name, scopes),
        )
        return { json: { name, scopes, key }, text: `${key}\n` }
      }),
    )
  addExample(make, 'tidings keys make anna --scopes read,write')
  addExample(defineList(keys, cli), 'tidings keys list')
  addExample(defineRevoke(keys, cli), 'tidings keys revoke anna')
  const rotate = keys
    .command('rotate-signing-key')
    .description('signs access tokens with a new key; members stay logged in')
    .action(() =>
      cli.run(async () => {
        const id = await withContext(await cli.readConfig(), 'keys', ({ signingKeys }) =>
          signingKeys.rotate(),
        )
        return { json: { id }, text: `New tokens are signed with ${id}.\n` }
      }),
    )
  addExample(rotate, 'tidings keys rotate-signing-key')
}

function defineList(keys: CommandUnknownOpts, cli: CommandLine) {
  return keys
    .command('list')
    .description('shows the names, scopes and last use of the keys of the desk')
    .action(() =>
      cli.run(async () => {
        const listed = await withContext(await cli.readConfig(), 'keys', ({ editorKeys }) =>
          editorKeys.list(),
        )
        const json = listed.map(({ name, scopes, createdAt, lastUsedAt, revokedAt }) => {
          return { name, scopes, createdAt, lastUsedAt, revokedAt }
        })
        return { json, text: listed.map(describe).join('') }
      }),
    )
}

function defineRevoke(keys: CommandUnknownOpts, cli: CommandLine) {
  return keys
    .command('revoke')
    .description('revokes every key of the desk with this name, at once')
    .argument('<name>', 'a name that `keys list` shows', parseName)
    .option('--yes', 'does not ask')
    .action((name, { yes }) =>
      cli.run(async () => {
        const question = `Every key called ${name} stops working at once and can't be restored.`
        await cli.confirm({ question, isConfirmed: yes })
        const revoked = await withContext(await cli.readConfig(), 'keys', ({ editorKeys }) =>
          editorKeys.revoke(name),
        )
        if (revoked === 0) throw new CommandError(`There is no active key called ${name}. See 'keys list'.`)
        const text = `Revoked ${revoked === 1 ? 'one key' : `${revoked} keys`} called ${name}.\n`
        return { json: { name, revoked }, text }
      }),
    )
}

function parseName(text: string): string {
  if (text.trim() !== '' && text.length <= 100) return text
  throw new InvalidArgumentError('A name has 1 to 100 characters.')
}

function parseScopes(text: string): readonly EditorScope[] {
  const scopes = new Set(text.split(',').map((scope) => scope.trim()))
  const result = editorScope.array().safeParse([...scopes])
  if (result.success) return result.data
  throw new InvalidArgumentError(`It takes ${editorScope.options.join(', ')}, separated by commas.`)
}

function describe(key: { name: string; scopes: string[]; lastUsedAt: Date | null; revokedAt: Date | null }) {
  const use = key.lastUsedAt === null ? 'never used' : `last used ${key.lastUsedAt.toISOString()}`
  const state = key.revokedAt === null ? use : `revoked ${key.revokedAt.toISOString()}`
  return `${key.name}  [${key.scopes.join(', ')}]  ${state}\n`
}
