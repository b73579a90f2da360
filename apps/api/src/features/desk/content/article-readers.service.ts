import { createHash } from 'node:crypto'
import type { ArticleReaders } from '@tidings/contracts/desk/content/article-readers'
import { limits } from '@tidings/contracts/limits'
import {
  contentGroupIdPrefix,
  contentGroupsCacheKey,
  createGroupOnce,
  getGroup,
  grantsOf,
  isOpen,
  listAllGroups,
  listHeldPlanSets,
  plansThatOpen,
  requireGroup,
  requirePlans,
  toDeskGroup,
} from '#features/secure-content/index.ts'
import type { MembershipApp } from '#platform/membership-apps/membership-apps.ts'
import type { DeskDeps } from '../changes/desk.deps.ts'
import { type DeskReply, replyWith } from '../desk-reply.ts'
import { requireScope } from '../requests/editor.ts'
import type { Requester } from '../requests/register-desk.ts'

type Deps = Pick<DeskDeps, 'database' | 'changes' | 'apps' | 'ids' | 'invalidation'>

export type ArticleReadersDesk = ReturnType<typeof createArticleReaders>

const keyPrefix = 'plans-'

/** Lets editors choose who may read an article, and counts these members. */
export function createArticleReaders({ database, changes, apps, ids, invalidation }: Deps) {
  return {
    async read(): Promise<DeskReply> {
      const app = await apps.siteApp()
      const held = await listHeldPlanSets(database.db, app.id)
      const count = (isCounted: (plans: readonly string[]) => boolean) =>
        held.filter(({ plans }) => isCounted(plans)).reduce((sum, { members }) => sum + members, 0)
      const groups = await listAllGroups(database.db, app.id)
      const readers: ArticleReaders = {
        members: count(() => true),
        plans: app.plans.map(({ id, name, prices }) => ({
          id,
          name,
          members: count((plans) => plans.includes(id)),
          price: soldFor(prices),
        })),
        groups: groups.map(({ key, name, permissions, plans }) => {
          const rules = [{ permissions, plans }]
          return {
            key,
            name,
            plans,
            members: count((each) => isOpen(rules, grantsOf(each, app))),
            opening: plansThatOpen(rules, app),
            isForPlans: key.startsWith(keyPrefix),
          }
        }),
      }
      return replyWith(readers)
    },

    /** Returns the group of these plans, which is created once. */
    async openToPlans(requester: Requester, planIds: readonly string[]): Promise<DeskReply> {
      const app = await apps.siteApp()
      const plans = planIds.toSorted()
      const key = `${keyPrefix}${createHash('sha256').update(plans.join(' ')).digest('hex').slice(0, 20)}`
      return await changes.run(requester, async (tx, audit) => {
        requireScope(requester.editor, 'write')
        requirePlans(app, plans)
        const name = nameOf(app, plans)
        const group = { key, name, permissions: [], plans, redirect: '' }
        if (await createGroupOnce(tx, { ...group, id: ids.public(contentGroupIdPrefix), appId: app.id })) {
          await invalidation.invalidate(tx, { at: [contentGroupsCacheKey] })
          await audit('content-group.create', key, { key, name })
        }
        const id = (await requireGroup(tx, app.id, key)) ?? ''
        return replyWith(toDeskGroup(await getGroup(tx, app.id, id)))
      })
    },
  }
}

function nameOf({ plansById }: MembershipApp, plans: readonly string[]): string {
  return plans
    .map((id) => plansById.get(id)?.name ?? id)
    .join(', ')
    .slice(0, limits.groupNameCharacters)
}

function soldFor(prices: MembershipApp['plans'][number]['prices']): ArticleReaders['plans'][number]['price'] {
  const price = prices.find(({ active }) => active)
  if (price === undefined) return null
  const { amount, currency, interval } = price
  return { amount, currency, interval }
}
