import type { MembershipAppReply } from '@tidings/contracts/widget-config'
import type { Cache } from '#platform/cache/cache.ts'
import { cacheKeys } from '#platform/cache-keys.ts'
import type { Database } from '#platform/database.ts'
import type { MembershipApp, MembershipApps } from '#platform/membership-apps/membership-apps.ts'
import { listContentGroups } from '../secure-content/index.ts'
import { type AppSurroundings, toWireApp } from './widget-config.mapper.ts'

/** The content groups of each app, by app id, as the wire has them. */
export type GroupsByApp = ReadonlyMap<string, MembershipAppReply['contentGroups']>

type Deps = {
  database: Database
  apps: MembershipApps
  groups: Cache<GroupsByApp>
} & Omit<AppSurroundings, 'contentGroups'>

export type WidgetConfigService = {
  /** What a client may know of an app; the sign-on texts only when they are wanted. */
  read(app: MembershipApp, withSsoText: boolean): Promise<MembershipAppReply>
}

/** The app's configuration as clients read it: from memory, until somebody changes it. */
export function createWidgetConfigService(deps: Deps): WidgetConfigService {
  const { database, apps, groups, siteUrl, isSandbox, captcha, identityProviders } = deps

  async function loadGroups(): Promise<GroupsByApp> {
    const { byId } = await apps.directory()
    const byApp = new Map<string, MembershipAppReply['contentGroups']>()
    for (const appId of byId.keys()) byApp.set(appId, await listContentGroups(database.db, appId))
    return byApp
  }

  return {
    async read(app, withSsoText) {
      const key = cacheKeys.contentGroups
      const byApp = groups.peek(key) ?? (await groups.load(key, loadGroups))
      const contentGroups = byApp.get(app.id) ?? []
      const surroundings = { siteUrl, isSandbox, captcha, identityProviders, contentGroups }
      return toWireApp(app, surroundings, withSsoText)
    },
  }
}
