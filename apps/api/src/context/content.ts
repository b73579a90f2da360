import { createDailyCounts } from '../features/daily-counts/index.ts'
import { createDeliveryPlanning, editionMethodsTo } from '../features/delivery/index.ts'
import { announceEdition, createLeaveOut, recordChange } from '../features/desk/index.ts'
import {
  createEditionService,
  createPublishing,
  createStartEditions,
  idOf,
  keyOf,
} from '../features/editions/index.ts'
import { createFeedService } from '../features/feeds/index.ts'
import { createEntryBoxService, createGateService } from '../features/gate/index.ts'
import { createLikeService } from '../features/likes/index.ts'
import { createMediaService } from '../features/media/index.ts'
import { createMemoService } from '../features/memos/index.ts'
import type { Adapters } from './adapters.ts'
import type { Caches } from './caches.ts'
import type { Infrastructure } from './infrastructure.ts'

export type Content = ReturnType<typeof createContent>

/** Creates editions, memos, pictures and likes, behind the gate. */
export function createContent(deps: Infrastructure & Caches & Adapters) {
  const { config, database, caches } = deps
  const { slots, timeZone, name, url, language, appId } = config.site

  const chosenMethods = editionMethodsTo(config.sms.account === null ? ['email'] : ['email', 'number'])
  const pushMethods = config.push.vapid === null ? [] : (['web_push'] as const)
  const editionMethods = [...chosenMethods, ...pushMethods]
  const deliveryPlanning = createDeliveryPlanning({
    ...deps,
    ...config.delivery,
    ...config.site,
    pushKey: deps.pushSender.publicKey,
    editionMethods,
  })

  const publishing = createPublishing({
    ...deps,
    slots,
    timeZone,
    latenessMinutes: config.publishing.latenessMinutes,
    planDelivery: deliveryPlanning.editionPublished,
    changeDelivery: deliveryPlanning.deliveryChanged,
    leaveOutUnfinished: createLeaveOut(() => memos, deps.clock),
    recordAutomatic: async (tx, action, edition) => {
      const details = { status: edition.status, reason: edition.heldReason }
      await recordChange(tx, { editor: null, action, subject: keyOf(idOf(edition)), details })
      await announceEdition(tx, edition, null)
    },
  })

  const memos = createMemoService({ ...deps, publishing })
  const editions = createEditionService({ database, slots })
  const secret = config.secrets.siteSecret

  return {
    editionMethods,
    deliveryPlanning,
    publishing,
    editions,
    startEditions: createStartEditions({ ...deps, timeZone, editions, cache: caches.start }),
    memos,
    likes: createLikeService(deps),
    feeds: createFeedService({
      ...deps,
      cache: caches.feeds,
      site: { name, url, language, timeZone, appId, hasGate: config.gate.on },
    }),
    media: createMediaService({
      ...deps,
      used: caches.usedPictures,
      secret,
    }),
    dailyCounts: createDailyCounts({ ...deps, timeZone, secret, appId }),
    gate: createGateService(deps),
    entryBox: createEntryBoxService({ ...deps, phoneRegion: config.phoneRegion }),
  }
}
