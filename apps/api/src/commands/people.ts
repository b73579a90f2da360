import { type CommandUnknownOpts, InvalidArgumentError } from '@commander-js/extra-typings'
import { type DeskRole, deskRole } from '@tidings/contracts/desk/desk'
import { parseEmailAddress } from '@tidings/contracts/membership/email-address'
import { hasCode } from '#platform/errors.ts'
import { registerJobs } from '../jobs.ts'
import { addExample, CommandError, type CommandLine, UsageError, withContext } from './command-line.ts'

const personArgument = ['<address>', "the person's email address", parseAddress] as const

/** Defines the commands for the people of the desk. */
export function definePeople(people: CommandUnknownOpts, cli: CommandLine): void {
  const invite = people
    .command('invite')
    .description('emails and shows a link that works once and creates a passkey')
    .argument(...personArgument)
    .option(
      '--role <roles>',
      'writer, moderator, editor or owner; several are separated by commas',
      parseRoles,
    )
    .action((email, { role: roles }) =>
      cli.run(async () => {
        if (roles === undefined) throw new UsageError('Name a role or several: --role writer,moderator')
        const { url, expiresAt } = await withContext(await cli.readConfig(), 'people', async (context) => {
          // The worker sends the email.
          registerJobs(context)
          await context.start({ jobs: false, listening: false })
          return await context.invitations.inviteByCommand({ email, roles })
        })
        const expiry = expiresAt.toISOString()
        return {
          json: { email, roles, url, expiresAt: expiry },
          text: `${url}\nWorks once, until ${expiry}.\n`,
        }
      }),
    )
  addExample(invite, 'tidings people invite anna@example.com --role owner')
  addExample(defineLink(people, cli), 'tidings people link anna@example.com')
  addExample(defineList(people, cli), 'tidings people list')
  addExample(defineRemove(people, cli), 'tidings people remove anna@example.com')
}

function defineLink(people: CommandUnknownOpts, cli: CommandLine) {
  return people
    .command('link')
    .description('shows a link that signs a person in once, within a day')
    .argument(...personArgument)
    .action((email) =>
      cli.run(async () => {
        const { url, expiresAt } = await withContext(await cli.readConfig(), 'people', ({ deskSignIn }) =>
          deskSignIn.linkByCommand(email),
        ).catch((error: unknown) => {
          throw hasCode(error, 'person-not-found')
            ? new CommandError('Nobody with this address works here.')
            : error
        })
        const expiry = expiresAt.toISOString()
        return { json: { email, url, expiresAt: expiry }, text: `${url}\nWorks once, until ${expiry}.\n` }
      }),
    )
}

function defineList(people: CommandUnknownOpts, cli: CommandLine) {
  return people
    .command('list')
    .description('shows who works at the desk, with their roles')
    .action(() =>
      cli.run(async () => {
        const listed = await withContext(await cli.readConfig(), 'people', ({ people }) =>
          people.listForCommand(),
        )
        const json = listed.map(({ id, name, email, roles }) => ({ id, name, email, roles }))
        const lines = json.map(({ name, email, roles }) => `${email}  ${name}  [${roles.join(', ')}]\n`)
        return { json, text: lines.join('') }
      }),
    )
}

function defineRemove(people: CommandUnknownOpts, cli: CommandLine) {
  return people
    .command('remove')
    .description('removes a person with their passkeys and sessions, at once')
    .argument(...personArgument)
    .option('--yes', 'does not ask')
    .action((email, { yes }) =>
      cli.run(async () => {
        const question = `${email} can no longer sign in at the desk.`
        await cli.confirm({ question, isConfirmed: yes })
        const config = await cli.readConfig()
        const { id, name } = await withContext(config, 'people', ({ people }) =>
          people.removeByCommand(email),
        ).catch((error: unknown) => {
          throw hasCode(error, 'person-not-found', 'last-owner') ? new CommandError(error.message) : error
        })
        return { json: { id, email }, text: `Removed ${name}.\n` }
      }),
    )
}

function parseAddress(text: string): string {
  const email = parseEmailAddress(text)
  if (email !== null) return email
  throw new InvalidArgumentError('This isn’t an email address.')
}

function parseRoles(text: string): DeskRole[] {
  const roles = new Set(text.split(',').map((role) => role.trim()))
  const result = deskRole.array().safeParse([...roles])
  if (result.success) return result.data
  throw new InvalidArgumentError(`It takes ${deskRole.options.join(', ')}, separated by commas.`)
}
