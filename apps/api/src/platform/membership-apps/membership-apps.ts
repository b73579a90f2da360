import type { Cache } from '../cache/cache.ts'
import type { Invalidation } from '../cache/invalidation.ts'
import { type Database, type Db, toJson } from '../database.ts'
import { type AppConfig, appConfigSchema, type PlanDefinition } from './app-config.ts'

/** A site that uses the membership service, with its configuration. */
export type MembershipApp = AppConfig & {
  /** `app_…` */
  id: string
  /** `pk_…`; not a secret. */
  publicKey: string
  /** Origins that may use the app, with those of the settings. */
  origins: ReadonlySet<string>
  plansById: ReadonlyMap<string, PlanDefinition>
}

/** All apps, by public key and by id, and their origins together. */
export type AppDirectory = {
  byKey: ReadonlyMap<string, MembershipApp>
  byId: ReadonlyMap<string, MembershipApp>
  origins: ReadonlySet<string>
}

/** How a client names its app. Clients without an id send the text `undefined` or `null`. */
export type AppNames = { publicKey?: string | undefined; appId?: string | undefined }

export type MembershipApps = ReturnType<typeof createMembershipApps>

type Deps = {
  database: Database
  cache: Cache<AppDirectory>
  siteAppId: string
  /** Origins that the settings allow for the site's own app. */
  siteOrigins: ReadonlySet<string>
}

const cacheKey = 'apps'
const missingIds: ReadonlySet<string> = new Set(['undefined', 'null'])

/** Finds apps in memory. */
export function createMembershipApps({ database, cache, siteAppId, siteOrigins }: Deps) {
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

  /** Returns all apps; synchronously when they are cached. */
  function directory(): AppDirectory | Promise<AppDirectory> {
    return cache.peek(cacheKey) ?? cache.load(cacheKey, load)
  }

  function choose({ byKey, byId }: AppDirectory, { publicKey, appId = '' }: AppNames): MembershipApp | null {
    const isMissing = missingIds.has(appId)
    const app = publicKey ? byKey.get(publicKey) : byId.get(isMissing ? siteAppId : appId)
    const fits = appId === '' || isMissing || appId === app?.id
    return app !== undefined && fits ? app : null
  }

  return {
    directory,
    /**
     * Returns the app of a public key, or of an id when no key is sent; null for none, or when they name different apps.
     * The oldest clients send no key and a missing id: they mean the site's own app.
     */
    find(names: AppNames): MembershipApp | null | Promise<MembershipApp | null> {
      const known = directory()
      return known instanceof Promise ? known.then((loaded) => choose(loaded, names)) : choose(known, names)
    },
    /** Returns the app of this site's members; throws when it does not exist yet. */
    async siteApp(): Promise<MembershipApp> {
      const app = (await directory()).byId.get(siteAppId)
      if (app === undefined) throw new Error(`There is no app ${siteAppId}; the API makes it when it starts.`)
      return app
    },
  }
}

/** Creates the app when it is missing, and updates its public key; keeps its configuration. */
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

/** Stores the configuration of a new or existing app. */
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
  // Cached members contain plans and permissions, so they change with the app.
  await invalidation.invalidateAll(tx)
}
