import { readFile } from 'node:fs/promises'
import { parseArgs } from 'node:util'
import { readConfig } from '../config/config.ts'
import { ConfigurationError, processSettings } from '../config/env.ts'
import { type Context, createContext } from '../context.ts'
import { locationsFrom } from '../locations.ts'
import { type AppConfig, appConfigSchema } from '../platform/membership-apps/app-config.ts'
import { applyAppConfig, listHeldPlans } from '../platform/membership-apps/membership-apps.ts'
import { failToStart } from '../process-lifetime.ts'

const usage = `What a site decides about its members: fields, plans, origins, ways to sign in.

  app-config show                 shows the configuration as JSON; a file to begin with
  app-config check FILE           says whether a file can be used, and what it would change
  app-config apply FILE           stores it; every running process follows at once
  app-config list                 shows all apps

The site's own app is meant, as APP_ID and APP_PUBLIC_KEY name it. Another one, or a new one:

  --app app_… --key pk_…

FILE may be - for standard input. DATABASE_URL names the database.
`

type Target = { id: string; publicKey: string }

async function main(): Promise<void> {
  const { positionals, values } = readArguments()
  const [command, file] = positionals
  if (values.help === true || command === undefined) return print(usage)
  const config = readConfig(processSettings(), locationsFrom(new URL('..', import.meta.url).href))
  const context = createContext({ ...config, logLevel: 'warn' }, { name: 'app-config', worksJobs: false })
  try {
    await context.ensureSiteApp()
    await run(context, command, file, await targetOf(context, values))
  } finally {
    await context.close()
  }
}

function readArguments() {
  try {
    return parseArgs({
      allowPositionals: true,
      options: {
        app: { type: 'string' },
        key: { type: 'string' },
        help: { type: 'boolean', short: 'h' },
      },
    })
  } catch (error) {
    throw new ConfigurationError(`${error instanceof Error ? error.message : error}\n\n${usage}`)
  }
}

/** The app that is meant, and the key it shall have: its own one, when none is given. */
async function targetOf(
  { config, membershipApps }: Context,
  { app, key }: { app?: string | undefined; key?: string | undefined },
): Promise<Target> {
  const id = app ?? config.site.appId
  const known = (await membershipApps.directory()).byId.get(id)
  const publicKey = id === config.site.appId ? config.site.appPublicKey : (key ?? known?.publicKey)
  if (!/^app_[0-9A-Za-z]{1,60}$/.test(id)) {
    throw new ConfigurationError('--app must be app_ and letters or digits')
  }
  if (publicKey === undefined)
    throw new ConfigurationError(`${id} is new: give its public key with --key pk_…`)
  if (!/^pk_[0-9A-Za-z_]{1,90}$/.test(publicKey)) {
    throw new ConfigurationError('--key must be pk_ and letters, digits or _')
  }
  if (id === config.site.appId && key !== undefined && key !== publicKey) {
    throw new ConfigurationError(
      "The key of the site's own app is the setting APP_PUBLIC_KEY; leave --key out.",
    )
  }
  return { id, publicKey }
}

async function run(
  context: Context,
  command: string,
  file: string | undefined,
  target: Target,
): Promise<void> {
  const { membershipApps } = context
  const { byId } = await membershipApps.directory()
  if (command === 'list') {
    for (const app of byId.values()) print(`${app.id}  ${app.publicKey}  ${app.name}\n`)
    return
  }
  if (command === 'show') {
    const known = byId.get(target.id)
    if (known === undefined) throw new ConfigurationError(`There is no app ${target.id}.`)
    return print(`${JSON.stringify(appConfigSchema.parse(configOf(known)), null, 2)}\n`)
  }
  if ((command !== 'check' && command !== 'apply') || file === undefined) throw new ConfigurationError(usage)
  const next = await readAppConfig(file)
  const known = byId.get(target.id)
  await refuseToDropHeldPlans(context, target, next)
  for (const line of warningsOf(context, next)) print(`Note: ${line}\n`)
  const changes = known === undefined ? ['everything: the app is new'] : changesOf(configOf(known), next)
  const isSoldAnew = context.config.payments.stripe !== null && soldOf(known) !== soldOf(next)
  if (command === 'check') {
    return print(changes.length === 0 ? 'Nothing would change.\n' : `Would change: ${changes.join(', ')}.\n`)
  }
  const { database, invalidation } = context
  await database.transaction((tx) => applyAppConfig(tx, invalidation, { ...target, config: next }))
  print(changes.length === 0 ? 'Stored; nothing has changed.\n' : `Stored. Changed: ${changes.join(', ')}.\n`)
  if (isSoldAnew)
    print('Now run `payments sync`: until then the payment service knows the plans of before.\n')
}

/** What the payment service has to know of plans, as one text to compare. */
function soldOf(app: Pick<AppConfig, 'plans'> | undefined): string {
  const priced = (app?.plans ?? []).filter(({ prices }) => prices.length > 0)
  return JSON.stringify(
    priced.map(({ id, name, description, status, restrictToAdmin, prices }) => [
      ...[id, name, description, status, restrictToAdmin, prices],
    ]),
  )
}

async function readAppConfig(file: string): Promise<AppConfig> {
  const text = await readFile(file === '-' ? '/dev/stdin' : file, 'utf8').catch((error: unknown) => {
    throw new ConfigurationError(`${file} cannot be read: ${error instanceof Error ? error.message : error}`)
  })
  const result = appConfigSchema.safeParse(parseJson(file, text))
  if (result.success) return result.data
  const lines = result.error.issues.map(
    (issue) => `  ${issue.path.join('.') || 'the file'}: ${issue.message}`,
  )
  throw new ConfigurationError(`${file} cannot be used:\n${lines.join('\n')}`)
}

function parseJson(file: string, text: string): unknown {
  try {
    return JSON.parse(text)
  } catch (error) {
    throw new ConfigurationError(
      `${file} is not valid JSON: ${error instanceof Error ? error.message : error}`,
    )
  }
}

/** A member's plan must have a name; one that is offered no more stays in the file as INACTIVE. */
async function refuseToDropHeldPlans({ database }: Context, { id }: Target, next: AppConfig): Promise<void> {
  const offered = new Set(next.plans.map((plan) => plan.id))
  const dropped = (await listHeldPlans(database.db, id)).filter((planId) => !offered.has(planId))
  if (dropped.length === 0) return
  throw new ConfigurationError(
    `Members hold ${dropped.join(', ')}: keep it in the file, with "status": "INACTIVE" when nobody shall take it any more.`,
  )
}

function warningsOf({ config }: Context, next: AppConfig): string[] {
  const configured = new Set(config.identityProviders.map(({ key }) => key))
  const missing = (next.authProviders ?? []).filter((key) => !configured.has(key))
  return [
    ...missing.map((key) => `the provider ${key} is named, and its settings are not complete here`),
    ...(next.captcha === true && config.captcha.kind === 'off'
      ? ['captcha is true, and CAPTCHA is off: nothing is asked for']
      : []),
  ]
}

/** The configuration alone, without what an app has besides. */
function configOf(app: AppConfig & Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(Object.keys(appConfigSchema.shape).map((key) => [key, app[key]]))
}

function changesOf(before: Record<string, unknown>, after: Record<string, unknown>): string[] {
  return Object.keys(appConfigSchema.shape).filter(
    (key) => JSON.stringify(before[key]) !== JSON.stringify(after[key]),
  )
}

function print(text: string): void {
  process.stdout.write(text)
}

main().catch(failToStart)
