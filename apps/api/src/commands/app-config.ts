import { readFile } from 'node:fs/promises'
import type { CommandUnknownOpts } from '@commander-js/extra-typings'
import type { Context } from '../context.ts'
import { listHeldPlans } from '../features/plans/index.ts'
import { type AppConfig, appConfigSchema } from '../platform/membership-apps/app-config.ts'
import {
  addExample,
  CommandError,
  type CommandLine,
  type Print,
  type Result,
  textOf,
  UsageError,
  withContext,
} from './command-line.ts'
import { priceChanges, saveConfig } from './save-config.ts'

type Target = { id: string; publicKey: string }
type Options = { app?: string | undefined; key?: string | undefined }

const appOption = ['--app <id>', "the app, app_…; the site's own by default"] as const
const keyOption = ['--key <key>', 'the public key of a new app, pk_…'] as const
const fileArgument = ['<file>', 'a JSON file, or - for standard input'] as const

/** Defines the commands for an app's configuration: custom fields, plans, origins and ways to log in. */
export function defineAppConfig(group: CommandUnknownOpts, cli: CommandLine): void {
  const runWithApps = (work: (context: Context, print: Print) => Promise<Result>) =>
    cli.run(async (print) =>
      withContext(await cli.readConfig(), 'app-config', async (context) => {
        await context.ensureSiteApp()
        return await work(context, print)
      }),
    )
  const show = group
    .command('show')
    .description('prints the configuration as JSON')
    .option(...appOption)
    .action((options) => runWithApps((context) => showConfig(context, options)))
  addExample(show, 'tidings app-config show > app.json')
  const check = group
    .command('check')
    .description('validates a file and lists what would change')
    .argument(...fileArgument)
    .option(...appOption)
    .option(...keyOption)
    .action((file, options) => runWithApps((context, print) => checkConfig(context, file, options, print)))
  addExample(check, 'tidings app-config check app.json')
  const apply = group
    .command('apply')
    .description(
      'saves a file; every running process follows at once. Changed plans and prices are changed at Stripe too. Run it again if it was interrupted',
    )
    .argument(...fileArgument)
    .option(...appOption)
    .option(...keyOption)
    .action((file, options) => runWithApps((context, print) => applyConfig(context, file, options, print)))
  addExample(
    apply,
    'tidings app-config apply app.json',
    'tidings app-config apply other.json --app app_other --key pk_other',
  )
  const list = group
    .command('list')
    .description('lists all apps')
    .action(() => runWithApps(listApps))
  addExample(list, 'tidings app-config list')
}

async function listApps({ apps }: Context): Promise<Result> {
  const listed = [...(await apps.directory()).byId.values()].map(({ id, publicKey, name }) => {
    return { id, publicKey, name }
  })
  const lines = listed.map(({ id, publicKey, name }) => `${id}  ${publicKey}  ${name}\n`)
  return { json: listed, text: lines.join('') }
}

async function showConfig(context: Context, options: Options): Promise<Result> {
  const { target, stored } = await findApp(context, options)
  if (stored === undefined)
    throw new CommandError(`The app ${target.id} does not exist. See 'tidings app-config list'.`)
  const json = appConfigSchema.parse(configOf(stored))
  return { json, text: `${JSON.stringify(json, null, 2)}\n` }
}

/** Validates a file and returns what would change. */
export async function checkConfig(
  context: Context,
  file: string,
  options: Options,
  print: Print,
): Promise<Result> {
  const { target, stored, next, changes } = await readChange(context, file, options, print)
  const headline =
    stored === undefined
      ? `Would create ${target.id}.`
      : changes.length === 0
        ? 'Nothing would change.'
        : `Would change: ${changes.join(', ')}.`
  const prices = priceChanges(stored, next)
  return {
    json: { app: target.id, isNew: stored === undefined, changes, prices },
    text: [headline, ...prices.map((line) => `  ${line}`), ''].join('\n'),
  }
}

/** Saves a file, with its changed prices at Stripe. */
export async function applyConfig(
  context: Context,
  file: string,
  options: Options,
  print: Print,
): Promise<Result> {
  const { target, stored, next, changes } = await readChange(context, file, options, print)
  const saved =
    stored === undefined
      ? `Saved. Created ${target.id}.\n`
      : changes.length === 0
        ? 'Saved. Nothing changed.\n'
        : `Saved. Changed: ${changes.join(', ')}.\n`
  const isCatalogChanged = catalogOf(stored) !== catalogOf(next)
  await saveConfig(context, { target, stored, next, isCatalogChanged, saved }, print)
  return {
    json: { app: target.id, isNew: stored === undefined, changes, prices: priceChanges(stored, next) },
  }
}

async function findApp(context: Context, options: Options) {
  const { byId } = await context.apps.directory()
  const target = targetOf(context, options, byId)
  return { target, stored: byId.get(target.id) }
}

async function readChange(context: Context, file: string, options: Options, print: Print) {
  const { target, stored } = await findApp(context, options)
  const next = await readAppConfig(file)
  await requireHeldPlans(context, target.id, next)
  for (const note of notesOn(context, next)) print(`Note: ${note}\n`)
  return { target, stored, next, changes: stored === undefined ? [] : changedKeys(configOf(stored), next) }
}

/** Returns the app to act on; its public key defaults to the current one. */
function targetOf(
  { config: { site } }: Context,
  { app, key }: Options,
  known: ReadonlyMap<string, Target>,
): Target {
  const id = app ?? site.appId
  const publicKey = id === site.appId ? site.appPublicKey : (key ?? known.get(id)?.publicKey)
  if (!/^app_[0-9A-Za-z]{1,60}$/.test(id)) {
    throw new UsageError('--app must be app_ followed by letters or digits.')
  }
  if (publicKey === undefined) {
    throw new UsageError(`${id} is new. Set its public key with --key pk_….`)
  }
  if (!/^pk_[0-9A-Za-z_]{1,90}$/.test(publicKey)) {
    throw new UsageError('--key must be pk_ followed by letters, digits or _.')
  }
  if (id === site.appId && key !== undefined && key !== publicKey) {
    throw new UsageError("APP_PUBLIC_KEY sets the key of the site's own app. Leave out --key.")
  }
  return { id, publicKey }
}

/** Returns what Stripe stores of the paid plans, as comparable text. */
function catalogOf(app: Pick<AppConfig, 'plans'> | undefined): string {
  const paid = (app?.plans ?? []).filter(({ prices }) => prices.length > 0)
  return JSON.stringify(
    paid.map(({ id, name, description, status, restrictToAdmin, prices }) => {
      return { id, name, description, status, restrictToAdmin, prices }
    }),
  )
}

async function readAppConfig(file: string): Promise<AppConfig> {
  const text = await readFile(file === '-' ? '/dev/stdin' : file, 'utf8').catch((error: unknown) => {
    throw new CommandError(`Could not read ${file}: ${textOf(error)}`)
  })
  const result = appConfigSchema.safeParse(parseJson(file, text))
  if (result.success) return result.data
  const lines = result.error.issues.map(
    ({ path, message }) => `  ${path.join('.') || 'the file'}: ${message}`,
  )
  throw new CommandError(`${file} is invalid:\n${lines.join('\n')}`)
}

function parseJson(file: string, text: string): unknown {
  try {
    return JSON.parse(text)
  } catch (error) {
    throw new CommandError(`${file} is not valid JSON: ${textOf(error)}`)
  }
}

/** A plan that members have must stay in the file, because their profiles show its name. */
async function requireHeldPlans({ database }: Context, appId: string, next: AppConfig): Promise<void> {
  const planIds = new Set(next.plans.map((plan) => plan.id))
  const missing = (await listHeldPlans(database.db, appId)).filter((planId) => !planIds.has(planId))
  if (missing.length === 0) return
  throw new CommandError(
    `Members have ${missing.join(', ')}. Keep it in the file; "status": "INACTIVE" closes it to new members.`,
  )
}

function notesOn({ config }: Context, { authProviders, captcha }: AppConfig): string[] {
  const configured = new Set(config.identityProviders.map(({ key }) => key))
  const incomplete = (authProviders ?? []).filter((key) => !configured.has(key))
  const notes = incomplete.map((key) => `The settings of the sign-in provider ${key} are incomplete.`)
  const isCaptchaOff = captcha === true && config.captcha.kind === 'off'
  return isCaptchaOff ? [...notes, 'captcha is true, but CAPTCHA is off: sign-up shows no captcha.'] : notes
}

/** Returns an app's configuration without its id and key. */
function configOf(app: AppConfig & Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(Object.keys(appConfigSchema.shape).map((key) => [key, app[key]]))
}

function changedKeys(before: Record<string, unknown>, after: Record<string, unknown>): string[] {
  return Object.keys(appConfigSchema.shape).filter(
    (key) => JSON.stringify(before[key]) !== JSON.stringify(after[key]),
  )
}
