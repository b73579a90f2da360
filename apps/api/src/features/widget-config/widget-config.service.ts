import type { MembershipAppReply } from '@tidings/contracts/membership/widget-config'
import type { Cache } from '#platform/cache/cache.ts'
import type { Database } from '#platform/database.ts'
import type { MembershipApp, MembershipApps } from '#platform/membership-apps/membership-apps.ts'
import { contentGroupsCacheKey, listContentGroups } from '../secure-content/index.ts'
import { type SiteSettings, toWireApp } from './widget-config.mapper.ts'

/** Content groups in wire format, by app id. */
export type GroupsByApp = ReadonlyMap<string, MembershipAppReply['contentGroups']>

type Deps = SiteSettings & { database: Database; apps: MembershipApps; groups: Cache<GroupsByApp> }

export type WidgetConfigService = ReturnType<typeof createWidgetConfigService>

export function createWidgetConfigService({ database, apps, groups, ...settings }: Deps) {
  async function loadGroups(): Promise<GroupsByApp> {
    const { byId } = await apps.directory()
    const byApp = new Map<string, MembershipAppReply['contentGroups']>()
    for (const appId of byId.keys()) byApp.set(appId, await listContentGroups(database.db, appId))
    return byApp
  }

  return {
    /** Returns the public configuration of an app; the single sign-on text only on request. */
    async read(app: MembershipApp, { withSsoText }: { withSsoText: boolean }): Promise<MembershipAppReply> {
      const key = contentGroupsCacheKey
      const byApp = groups.peek(key) ?? (await groups.load(key, loadGroups))
      const config = toWireApp(app, settings, byApp.get(app.id) ?? [])
      return withSsoText && app.ssoText !== null ? { ...config, ssoText: app.ssoText } : config
    },
  }
}
