import { text as readAll } from 'node:stream/consumers'
import type { CommandUnknownOpts } from '@commander-js/extra-typings'
import type { Context } from '../context.ts'
import { type FoundMember, type MemberClue, parseMemberClue } from '../features/members/index.ts'
import { registerJobs } from '../jobs.ts'
import { addExample, CommandError, type CommandLine, UsageError, withContext } from './command-line.ts'

const memberArgument = ['<member>', 'an email address, a phone number or an id, mem_…'] as const

/** Defines the commands for members and what is stored about them. */
export function defineMembers(group: CommandUnknownOpts, cli: CommandLine): void {
  const find = group
    .command('find')
    .description('finds members by their address, also a former one, their phone number or their id')
    .argument(...memberArgument)
    .action((text) =>
      cli.run(async () =>
        withContext(await cli.readConfig(), 'members', async (context) => {
          const found = await findMembers(context, text)
          const none = 'No member has this address, number or id.\n'
          return {
            json: found,
            text: found.length === 0 ? none : found.map(describe).join('\n'),
            isIncomplete: found.length === 0,
          }
        }),
      ),
    )
  addExample(find, 'tidings members find anna@example.com', "tidings members find '+1 415 555 0132'")
  defineExport(group, cli)
  defineDelete(group, cli)
}

function defineExport(group: CommandUnknownOpts, cli: CommandLine): void {
  const exporting = group
    .command('export')
    .description('prints everything stored about a member as JSON, for a data request')
    .argument(...memberArgument)
    .action((text) =>
      cli.run(async () =>
        withContext(await cli.readConfig(), 'members', async (context) => {
          const { id, appId } = await getMember(context, text)
          const chunks = context.members.export(await appOf(context, appId), id, 'operator')
          const json: unknown = JSON.parse(await readAll(chunks))
          return { json, text: `${JSON.stringify(json, null, 2)}\n` }
        }),
      ),
    )
  addExample(exporting, 'tidings members export anna@example.com > anna.json')
}

function defineDelete(group: CommandUnknownOpts, cli: CommandLine): void {
  const deletion = group
    .command('delete')
    .description(
      'deletes an account and everything stored about its member. The worker then cancels the subscription, refunds what is owed, and tells the member',
    )
    .argument(...memberArgument)
    .option('--yes', 'does not ask')
    .action((text, { yes }) =>
      cli.run(async () =>
        withContext(await cli.readConfig(), 'members', async (context) => {
          // The rest of the deletion is a job of the worker.
          registerJobs(context)
          await context.start({ jobs: false, listening: false })
          const member = await getMember(context, text)
          const { id, appId, email, stripeCustomerId } = member
          const question = `This account is deleted, and can't be restored:\n${describe(member)}`
          await cli.confirm({ question, expected: email, isConfirmed: yes })
          await context.members.removeAccount(await appOf(context, appId), id)
          const hasPayments = stripeCustomerId !== null
          const next = hasPayments
            ? 'The worker now cancels and refunds at Stripe, and frees the address once that is done.'
            : 'Nothing is owed.'
          return { json: { id, hasPayments }, text: `Deleted ${id}. ${next}\n` }
        }),
      ),
    )
  addExample(deletion, 'tidings members delete anna@example.com')
}

async function findMembers({ members, config }: Context, text: string): Promise<FoundMember[]> {
  return await members.find(clueOf(text, config.phoneRegion))
}

async function getMember(context: Context, text: string): Promise<FoundMember> {
  const [member, ...others] = await findMembers(context, text)
  if (member === undefined) throw new CommandError(`No member has this address, number or id: ${text}`)
  if (others.length === 0) return member
  const ids = [member, ...others].map(({ id }) => id)
  throw new UsageError(`Several members match. Name one of these ids: ${ids.join(', ')}`)
}

function clueOf(text: string, region: string): MemberClue {
  const clue = parseMemberClue(text, region)
  if (clue !== null) return clue
  throw new UsageError(`${text} is no email address, no phone number and no id, mem_….`)
}

async function appOf({ apps }: Context, appId: string) {
  const app = (await apps.directory()).byId.get(appId)
  if (app === undefined)
    throw new CommandError(`The app ${appId} does not exist. See 'tidings app-config list'.`)
  return app
}

function describe({
  id,
  email,
  formerEmail,
  verified,
  phone,
  planConnections,
  ...member
}: FoundMember): string {
  const plans = planConnections.map(({ planId, type, status }) => `${planId} (${type}, ${status})`)
  return [
    `${id}  ${email}${verified ? '' : ' (not confirmed)'}`,
    ...(formerEmail === null ? [] : [`  former address  ${formerEmail}`]),
    ...(phone === null
      ? []
      : [`  phone  ${phone.number}${phone.verifiedAt === null ? ' (not confirmed)' : ''}`]),
    `  app  ${member.appId}`,
    `  plans  ${plans.join(', ') || 'none'}`,
    `  joined  ${member.createdAt.toISOString()}, last login ${member.lastLoginAt?.toISOString() ?? 'never'}`,
    '',
  ].join('\n')
}
