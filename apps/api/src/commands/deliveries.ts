import { isIP } from 'node:net'
import { type CommandUnknownOpts, InvalidArgumentError } from '@commander-js/extra-typings'
import { type CalendarDate, parseWireDate } from '@tidings/contracts/edition-key'
import { createDns } from '../context/adapters.ts'
import type { Context } from '../context.ts'
import { registerJobs } from '../jobs.ts'
import { type HoldReason, holdReasons, isHoldReason } from '../platform/sending-guard/hold-reasons.ts'
import { addExample, type CommandLine, type Result, withContext } from './command-line.ts'
import { confirmInstance } from './confirm-instance.ts'
import { checkDeliveries } from './dns-records/check-deliveries.ts'

const digestTexts = {
  planned: 'The digest is planned and sent now.',
  exists: 'This day has a digest already; it isn’t sent twice.',
  empty: 'Nothing is published on this day, so there is no digest.',
} as const

/** Defines the commands for the deliveries of editions to members. */
export function defineDeliveries(deliveries: CommandUnknownOpts, cli: CommandLine): void {
  const define = (name: string, description: string, run: (context: Context) => Promise<Result>) => {
    const command = deliveries
      .command(name)
      .description(description)
      .action(() => runWithJobs(cli, run))
    addExample(command, `tidings deliveries ${name}`)
  }
  define('summary', 'shows whether sending is on, and the deliveries of the last three days', summary)
  define('hold', 'holds all sending; messages in flight are still sent', hold)
  define('release', 'releases it. What waited is sent now', release)
  define(
    'allow-codes',
    'texts codes to new accounts again, which too many unused codes had stopped',
    allowCodes,
  )
  const digest = deliveries
    .command('digest')
    .description('plans and sends the digest of a day now')
    .argument('<day>', 'such as 11-20-26', parseDay)
    .action((day) => runWithJobs(cli, (context) => planDigest(context, day)))
  addExample(digest, 'tidings deliveries digest 11-20-26')
  defineConfirmInstance(deliveries, cli)
  defineCheck(deliveries, cli)
}

function defineConfirmInstance(deliveries: CommandUnknownOpts, cli: CommandLine): void {
  const command = deliveries
    .command('confirm-instance')
    .description(
      'declares this database the one that sends, after a restore, a copy or a failover, and accepts the DATA_DIR of a worker without a record of what was sent. Run it with the DATA_DIR of the worker, and of a copy on one instance only. It says what would go out, and asks',
    )
    .option('--yes', 'confirms without a question')
    .option(
      '--fenced-by <token>',
      'for a failover hook: confirms a promoted standby if this is FAILOVER_TOKEN',
    )
    .action(({ yes, fencedBy }) =>
      runWithJobs(cli, (context) => confirmInstance(context, cli, { isConfirmed: yes, fencedBy })),
    )
  addExample(command, 'tidings deliveries confirm-instance')
}

function defineCheck(deliveries: CommandUnknownOpts, cli: CommandLine): void {
  const check = deliveries
    .command('check')
    .description(
      'compares SPF, DKIM, DMARC, MX and PTR records with what receivers ask for, and says what to publish',
    )
    .argument('[addresses...]', 'the addresses that emails come from, if not those of SMTP_URL', parseSender)
    .option('--dns <server>', 'asks this DNS server; may be repeated', parseServer)
    .action((senders = [], { dns: servers = [] }) =>
      cli.run(async () => {
        const { mail } = await cli.readConfig()
        const { text, ...json } = await checkDeliveries({ mail, senders, dns: createDns(servers) })
        return { json, text, isIncomplete: !json.isComplete }
      }),
    )
  addExample(check, 'tidings deliveries check 192.0.2.1 --dns 192.0.2.53')
}

/** Runs work that may enqueue jobs. */
async function runWithJobs(cli: CommandLine, work: (context: Context) => Promise<Result>): Promise<void> {
  await cli.run(async () =>
    withContext(await cli.readConfig(), 'deliveries', async (context) => {
      registerJobs(context)
      await context.start({ jobs: false, listening: false })
      return await work(context)
    }),
  )
}

function parseDay(text: string): CalendarDate {
  const day = parseWireDate(text)
  if (day !== null) return day
  throw new InvalidArgumentError('A day is MM-DD-YY, such as 11-20-26.')
}

function parseSender(text: string, previous: string[] = []): string[] {
  if (isIP(text) !== 0) return [...previous, text]
  throw new InvalidArgumentError('It must be an IP address, such as 192.0.2.1.')
}

/** `192.0.2.53`, `192.0.2.53:5353`, `2001:db8::53` or `[2001:db8::53]:5353`. */
function parseServer(text: string, previous: string[] = []): string[] {
  const [, bracketed, plain, port = '53'] = /^(?:\[([\da-f:]+)\]|([\d.]+))(?::(\d{1,5}))?$/i.exec(text) ?? []
  const isServer =
    isIP(text) !== 0 || (isIP(bracketed ?? plain ?? '') !== 0 && Number(port) > 0 && Number(port) < 65_536)
  if (isServer) return [...previous, text]
  throw new InvalidArgumentError('It must be an IP address, with a port if it is not 53.')
}

async function planDigest({ deliveryOperations }: Context, day: CalendarDate): Promise<Result> {
  const result = await deliveryOperations.planDigest(day)
  return { json: { result }, text: `${digestTexts[result]}\n` }
}

async function hold({ deliveryOperations }: Context): Promise<Result> {
  await deliveryOperations.hold()
  return { json: { isHeld: true }, text: 'All sending is held.\n' }
}

async function release({ deliveryOperations }: Context): Promise<Result> {
  await deliveryOperations.release()
  return { json: { isHeld: false }, text: 'Sending is released.\n' }
}

async function allowCodes({ smsLimits }: Context): Promise<Result> {
  const wasStopped = await smsLimits.allowCodes()
  const text = wasStopped
    ? 'New accounts get codes by text again.\n'
    : 'Codes to new accounts are not stopped.\n'
  return { json: { wasStopped }, text }
}

async function summary({ deliveryOperations, smsLimits }: Context): Promise<Result> {
  const found = await deliveryOperations.summary()
  const lines = found.runs.flatMap(({ name, state, heldReason, counts, waiting }) => [
    `${name}  ${state}${heldReason === null ? '' : ` (${heldReason})`}: ${counts}`,
    ...waiting.map(({ transport, reason, message }) => `  ${transport} waits, ${reason}: ${message}`),
  ])
  const held = found.workers.flatMap(({ process, heldReason }) =>
    heldReason !== null && isHoldReason(heldReason)
      ? [`The worker ${process} sends nothing. ${remedyOf(heldReason)}`]
      : [],
  )
  const codesStoppedUntil = await smsLimits.stoppedUntil()
  const text = [
    found.hold === null ? 'Sending is on.' : remedyOf(found.hold),
    ...held,
    ...(codesStoppedUntil === null
      ? []
      : [`Codes to new accounts are stopped until ${codesStoppedUntil.toISOString()}.`]),
    ...(lines.length > 0 ? lines : ['Nothing was planned in the last three days.']),
  ].join('\n')
  return { json: { ...found, codesStoppedUntil }, text: `${text}\n` }
}

function remedyOf(reason: HoldReason): string {
  const { text, command } = holdReasons[reason]
  if (reason === 'held') return `All sending is held: '${command}' releases it.`
  return command === null ? text : `${text} Nothing is sent until '${command}'.`
}
