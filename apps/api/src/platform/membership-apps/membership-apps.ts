import type { Cache } from '../cache/cache.ts'
import type { Invalidation } from '../cache/invalidation.ts'
import { cacheKeys } from '../cache-keys.ts'
import { type Database, type Db, toJson } from '../database.ts'
import { type AppConfig, appConfigSchema, type PlanDefinition } from './app-config.ts'

/** A site that uses the membership service, with what it decided about its members. */
export type MembershipApp = AppConfig & {
  /** `app_…` */
  id: string
  /** `pk_…`; public, as its name says. */
  publicKey: string
  /** Pages that may use it, those from the settings included. */
  origins: ReadonlySet<string>
  plansById: ReadonlyMap<string, PlanDefinition>
}

/** All apps as they are now. */
export type AppDirectory = {
  byKey: ReadonlyMap<string, MembershipApp>
  byId: ReadonlyMap<string, MembershipApp>
  /** The origins of all apps: who may be told anything at all. */
  origins: ReadonlySet<string>
}

/** What a client says of its app. Clients send the text of an id that they do not have. */
export type AppNames = { publicKey?: string | undefined; appId?: string | undefined }

export type MembershipApps = {
  /** Known at once, or read first; never older than the last change that was heard. */
  directory(): AppDirectory | Promise<AppDirectory>
  /**
   * The app of a key, or of an id where no key is sent; null when there is none, or when the two are not one app's. The
   * oldest clients send no key and no more than the text of an id: they mean the site's own app.
   */
  find(names: AppNames): MembershipApp | null | Promise<MembershipApp | null>
  /** The app whose members read this site; throws when it was not made yet. */
  siteApp(): Promise<MembershipApp>
}

const textsOfNone: ReadonlySet<string> = new Set(['undefined', 'null'])

/** The apps in memory: looked at by every call, changed by nearly none. */
export function createMembershipApps(options: {
  database: Database
  cache: Cache<AppDirectory>
  siteAppId: string
  /** Origins that the settings allow the site's own app. */
  siteOrigins: ReadonlySet<string>
}): MembershipApps {
  const { database, cache, siteAppId, siteOrigins } = options

  async function load(): Promise<AppDirectory> {
    const rows = await database.db.membershipApp.findMany()
    const apps = rows.map(({ id, publicKey, config }) => {
      const parsed = appConfigSchema.parse(config)
      const plansById = new Map(parsed.plans.map((plan) => [plan.id, plan]))
      const origins = new Set([...parsed.allowedOrigins, ...(id === siteAppId ? siteOrigins : [])])
      return { ...parsed, id, publicKey, origins, plansById }
    })
    return {
      byKey: new Map(apps.map((app) => [app.publicKey, app])),
      byId: new Map(apps.map((app) => [app.id, app])),
      origins: new Set(apps.flatMap((app) => [...app.origins])),
    }
  }

  function directory(): AppDirectory | Promise<AppDirectory> {
    return cache.peek(cacheKeys.apps) ?? cache.load(cacheKeys.apps, load)
  }

  function choose({ byKey, byId }: AppDirectory, { publicKey, appId = '' }: AppNames): MembershipApp | null {
    const isTextOfNone = textsOfNone.has(appId)
    const app = publicKey ? byKey.get(publicKey) : byId.get(isTextOfNone ? siteAppId : appId)
    const fits = appId === '' || isTextOfNone || appId === app?.id
    return app !== undefined && fits ? app : null
  }

  return {
    directory,
    find(names) {
      const known = directory()
      return known instanceof Promise ? known.then((loaded) => choose(loaded, names)) : choose(known, names)
    },
    async siteApp() {
      const app = (await directory()).byId.get(siteAppId)
      if (app === undefined) throw new Error(`There is no app ${siteAppId}; the API makes it when it starts.`)
      return app
    },
  }
}

/** Sees to it that an app exists under this id and answers to this key; its configuration stays as it is. */
export async function ensureApp(
  { db }: Pick<Database, 'db'>,
  app: { id: string; publicKey: string; config: AppConfig },
): Promise<void> {
  const { id, publicKey } = app
  await db.membershipApp.createMany({
    data: [{ id, publicKey, config: toJson(app.config) }],
    skipDuplicates: true,
  })
  await db.membershipApp.updateMany({ where: { id, publicKey: { not: publicKey } }, data: { publicKey } })
}

/** Stores a configuration and tells every process. Makes the app when it is new. */
export async function applyAppConfig(
  tx: Db,
  invalidation: Invalidation,
  app: { id: string; publicKey: string; config: AppConfig },
): Promise<void> {
  const config = toJson(app.config)
  await tx.membershipApp.upsert({
    where: { id: app.id },
    create: { id: app.id, publicKey: app.publicKey, config },
    update: { publicKey: app.publicKey, config, version: { increment: 1 } },
  })
  // Members' replies name plans and permissions, so they change with the app.
  await invalidation.invalidateAll(tx)
}

/** The configured plans that members hold: these cannot be left out. */
export async function listHeldPlans(db: Db, appId: string): Promise<string[]> {
  const rows = await db.planConnection.findMany({
    where: { member: { appId } },
    distinct: ['planId'],
    select: { planId: true },
  })
  return rows.map(({ planId }) => planId)
}
