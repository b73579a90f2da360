import { recordChange } from '../features/desk/index.ts'
import {
  createEditionService,
  createPublishing,
  editionDue,
  idOf,
  keyOf,
  publishingSweep,
} from '../features/editions/index.ts'
import { createEntryBoxService, createGateService } from '../features/gate/index.ts'
import { createLikeService } from '../features/likes/index.ts'
import { createMediaService } from '../features/media/index.ts'
import { createMemoService } from '../features/memos/index.ts'
import type { Adapters } from './adapters.ts'
import type { Ground } from './ground.ts'
import type { Memory } from './memory.ts'

export type Reading = ReturnType<typeof createReading>

/** What readers come for: editions, memos, pictures and likes, behind the gate. */
export function createReading(on: Ground & Memory & Adapters) {
  const { config, database, jobs, caches } = on
  const { slots, timeZone } = config.site

  const publishing = createPublishing({
    ...on,
    slots,
    timeZone,
    latenessMinutes: config.publishing.latenessMinutes,
    recordAutomatic: (tx, action, edition) =>
      recordChange(tx, {
        editorKeyId: null,
        action,
        subject: keyOf(idOf(edition)),
        details: { status: edition.status, reason: edition.heldReason },
      }),
  })

  jobs.handle(editionDue, ({ editionId }) => publishing.publishIfDue(editionId))
  jobs.handle(publishingSweep, () => publishing.sweep())

  return {
    publishing,
    editions: createEditionService({ database, slots }),
    memos: createMemoService({ database, jobs, publishing }),
    likes: createLikeService(on),
    media: createMediaService({ ...on, used: caches.usedPictures }),
    gate: createGateService(on),
    entryBox: createEntryBoxService({ ...on, phoneRegion: config.phoneRegion }),
  }
}
