import { readFile } from 'node:fs/promises'
import { ConfigurationError } from '../config/env.ts'
import type { Context } from '../context.ts'
import { listHeldPlans } from '../features/plans/index.ts'
import { type AppConfig, appConfigSchema } from '../platform/membership-apps/app-config.ts'
import { type Command, type Print, parseOptions, startCommand, textOf, withContext } from './run-command.ts'
import { priceChanges, saveConfig } from './save-config.ts'

const usage = `Shows and changes an app's configuration: custom fields, plans, origins and sign-in methods.

  app-config show                 prints the configuration as JSON
  app-config check FILE           validates a file and lists what would change
  app-config apply FILE           saves a file; every running process follows at once. Changed plans and prices are
                                  changed at Stripe too. Run it again if it was interrupted
  app-config list                 lists all apps

The commands act on the site's own app (APP_ID and APP_PUBLIC_KEY). For another app, or to create one:

  --app app_… --key pk_…

FILE can be - for standard input. DATABASE_URL names the database.
`

type Arguments = ReturnType<typeof readArguments>
type Target = { id: string; publicKey: string }

export const appConfig: Command = {
  usage,
  async run(args, readConfig, print) {
    const given = readArguments(args)
    if (given.command === undefined) {
      print(usage)
      return
    }
    await withContext(readConfig(), 'app-config', async (context) => {
      await context.ensureSiteApp()
      await runAppConfig(context, given, print)
    })
  },
}

export function readArguments(args: string[]) {
  const options = {
    app: { type: 'string' },
    key: { type: 'string' },
    help: { type: 'boolean', short: 'h' },
  } as const
  const { positionals, values } = parseOptions(args, options, usage)
  const [command, file] = positionals
  return { ...values, command: values.help === true ? undefined : command, file }
}

/** Runs a command. Throws {@link ConfigurationError} with the text for standard error. */
export async function runAppConfig(context: Context, args: Arguments, print: Print): Promise<void> {
  const { command, file } = args
  const { byId } = await context.apps.directory()
  const target = targetOf(context, args, byId)
  const stored = byId.get(target.id)
  if (command === 'list') {
    for (const app of byId.values()) print(`${app.id}  ${app.publicKey}  ${app.name}\n`)
  } else if (command === 'show') {
    if (stored === undefined) throw new ConfigurationError(`The app ${target.id} does not exist.`)
    print(`${JSON.stringify(appConfigSchema.parse(configOf(stored)), null, 2)}\n`)
  } else if ((command === 'check' || command === 'apply') && file !== undefined) {
    const next = await readAppConfig(file)
    await requireHeldPlans(context, target.id, next)
    for (const note of notesOn(context, next)) print(`Note: ${note}\n`)
    const changes = stored === undefined ? [] : changedKeys(configOf(stored), next)
    if (command === 'check') {
      if (stored === undefined) print(`Would create ${target.id}.\n`)
      else print(changes.length === 0 ? 'Nothing would change.\n' : `Would change: ${changes.join(', ')}.\n`)
      for (const line of priceChanges(stored, next)) print(`  ${line}\n`)
      return
    }
    const saved =
      stored === undefined
        ? `Saved. Created ${target.id}.\n`
        : changes.length === 0
          ? 'Saved. Nothing changed.\n'
          : `Saved. Changed: ${changes.join(', ')}.\n`
    const isCatalogChanged = catalogOf(stored) !== catalogOf(next)
    await saveConfig(context, { target, stored, next, isCatalogChanged, saved }, print)
  } else {
    throw new ConfigurationError(usage)
  }
}

/** Returns the app to act on; its public key defaults to the current one. */
function targetOf(
  { config: { site } }: Context,
  { app, key }: Pick<Arguments, 'app' | 'key'>,
  known: ReadonlyMap<string, Target>,
): Target {
  const id = app ?? site.appId
  const publicKey = id === site.appId ? site.appPublicKey : (key ?? known.get(id)?.publicKey)
  if (!/^app_[0-9A-Za-z]{1,60}$/.test(id)) {
    throw new ConfigurationError('--app must be app_ followed by letters or digits.')
  }
  if (publicKey === undefined) {
    throw new ConfigurationError(`${id} is new. Set its public key with --key pk_….`)
  }
  if (!/^pk_[0-9A-Za-z_]{1,90}$/.test(publicKey)) {
    throw new ConfigurationError('--key must be pk_ followed by letters, digits or _.')
  }
  if (id === site.appId && key !== undefined && key !== publicKey) {
    throw new ConfigurationError("APP_PUBLIC_KEY sets the key of the site's own app. Leave out --key.")
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
    throw new ConfigurationError(`Could not read ${file}: ${textOf(error)}`)
  })
  const result = appConfigSchema.safeParse(parseJson(file, text))
  if (result.success) return result.data
  const lines = result.error.issues.map(
    ({ path, message }) => `  ${path.join('.') || 'the file'}: ${message}`,
  )
  throw new ConfigurationError(`${file} is invalid:\n${lines.join('\n')}`)
}

function parseJson(file: string, text: string): unknown {
  try {
    return JSON.parse(text)
  } catch (error) {
    throw new ConfigurationError(`${file} is not valid JSON: ${textOf(error)}`)
  }
}

/** A plan that members have must stay in the file, because their profiles show its name. */
async function requireHeldPlans({ database }: Context, appId: string, next: AppConfig): Promise<void> {
  const planIds = new Set(next.plans.map((plan) => plan.id))
  const missing = (await listHeldPlans(database.db, appId)).filter((planId) => !planIds.has(planId))
  if (missing.length === 0) return
  throw new ConfigurationError(
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

if (import.meta.main) await startCommand(appConfig)
