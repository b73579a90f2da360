import { z } from 'zod'
import type { Job } from '#platform/jobs/jobs.ts'

type Deps = {
  sendingGuard: { findHold(): Promise<unknown> }
  media: { removeUnreferenced(): Promise<number> }
}

/** Deletes pictures that nothing shows. A copied or restored site may share them with another one, so it deletes none. */
export const removePictures: Job<object, Deps> = {
  name: 'media.remove-unreferenced',
  payload: z.object({}),
  retries: 0,
  expireSeconds: 3_600,
  async run(_payload, { sendingGuard, media }) {
    if ((await sendingGuard.findHold()) === null) await media.removeUnreferenced()
  },
}
