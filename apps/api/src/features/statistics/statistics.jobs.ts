import { z } from 'zod'
import type { Job } from '#platform/jobs/jobs.ts'
import type { StatisticsService } from './statistics.service.ts'

/** Stores how many members there are by plan. The last run of a day counts for the day. */
export const countMembers: Job<object, { statistics: Pick<StatisticsService, 'storeMembers'> }> = {
  name: 'statistics.count-members',
  payload: z.object({}),
  retries: 2,
  expireSeconds: 60,
  run: (_payload, { statistics }) => statistics.storeMembers(),
}
