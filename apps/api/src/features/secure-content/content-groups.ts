import type { MembershipAppReply } from '@tidings/contracts/widget-config'
import type { Db } from '#platform/database.ts'
import { type ContentGroupRow, listAllGroups } from './content-groups.repository.ts'

type WireContentGroup = MembershipAppReply['contentGroups'][number]

/** An app's content groups as `GET /app` shows them, by key. */
export async function listContentGroups(db: Db, appId: string): Promise<WireContentGroup[]> {
  return (await listAllGroups(db, appId)).map(toWireGroup)
}

function toWireGroup({ id, key, name, permissions, plans, redirect }: ContentGroupRow): WireContentGroup {
  return {
    id,
    key,
    name,
    allowAllMembers: permissions.length === 0 && plans.length === 0,
    redirect,
    // Pages are not guarded by their addresses: what a group guards is asked for by its id.
    urls: [],
    plans: plans.map((plan) => ({ id: plan })),
    permissions,
  }
}
